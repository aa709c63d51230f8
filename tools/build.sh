# Functions of ./drydock and .ci/run: install what is missing, configure and build a preset.
# Expects $root. Exit code 4 means, as everywhere in drydock, that a tool is not there.

fail() { echo "drydock: $2" >&2; exit "$1"; }

# Lines of packages.txt that dpkg does not report as installed. It fails for those it does not know.
missing_packages() {
    local wanted installed
    wanted=$(grep -v '^#' "$root/packages.txt" | sort)
    installed=$(dpkg-query -W -f '${Package} ${Status}\n' $wanted 2>/dev/null || true)
    comm -23 <(echo "$wanted") <(sed -n 's/ install ok installed$//p' <<<"$installed" | sort -u)
}

setup() {
    # Not Debian: whoever has the compiler and the build tools gets the benefit of the doubt.
    if ! command -v dpkg-query >/dev/null; then
        command -v clang++-19 >/dev/null && command -v cmake >/dev/null && command -v ninja >/dev/null ||
            fail 4 'this is not Debian; install the equivalents of packages.txt by hand'
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]} == 0)) && return

    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail 4 "run './drydock setup' as root to install: ${missing[*]}"
        as_root=(sudo)
        # Without a terminal nobody can type a password.
        [[ -t 0 ]] || as_root+=(-n)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive)

    echo "drydock: installing ${missing[*]}" >&2
    local log
    log=$(mktemp)
    "${as_root[@]}" apt-get update >"$log" 2>&1 </dev/null &&
        "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null ||
        { tail -n 15 "$log" >&2; fail 4 "could not install the packages; the whole log is $log"; }
    rm "$log"
}

# One line that overwrites itself, on a terminal only; reads the build's output.
show_progress() {
    if [[ ! -t 2 ]]; then cat >/dev/null; return; fi
    local line
    while IFS= read -r line; do
        [[ $line == \[[1-9]* ]] && printf '\r\033[K%.*s' "${COLUMNS:-80}" "$line" >&2
    done
    printf '\r\033[K' >&2
}

# with_lock PRESET COMMAND...: runs it quietly in $root; two calls at once take turns.
with_lock() {
    local preset=$1 dir=$root/build/$1
    shift
    mkdir -p "$dir"
    (
        flock 9
        cd "$root"
        "$@" 2>&1 9>&- | tee "$dir/build.log" | show_progress
    ) 9>"$dir/.lock" && return
    grep -v '^\[' "$dir/build.log" | tail -n 60 >&2
    echo "drydock: the $preset build failed; see build/$preset/build.log" >&2
    return 4
}

configure() {
    [[ -f $root/build/$1/build.ninja ]] || with_lock "$1" cmake --preset "$1"
}

# build PRESET TARGET...
build() {
    local preset=$1
    shift
    configure "$preset" && with_lock "$preset" cmake --build "build/$preset" --target "$@"
}
