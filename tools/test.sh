# The last line is promised for every end.
refuse_test() { echo '0 passed, 1 failed'; fail 2 "test: $1"; }

# ctest runs everything if it does not understand an argument. Its own help says what it knows; a
# word by itself is taken for the value of the option before it.
check_ctest_arguments() {
    local known argument before=
    known=$(ctest --help | grep -oE -- '(^ +|, ?)-[-A-Za-z]+' | tr -d ' ,')
    for argument in "$@"; do
        case $argument in
            -j[0-9]*) ;;
            -*) grep -qxF -- "${argument%%=*}" <<<"$known" ||
                refuse_test "unknown argument '$argument'" ;;
            *) [[ $before == -* ]] || refuse_test "unknown argument '$argument'" ;;
        esac
        before=$argument
    done
}

# ./drydock test [--preset P] [ctest arguments]
# ./drydock test --real [--preset P] [stages]      against live engines; see tests/real/README.md
#
# The default preset is the one that ./drydock itself uses: it keeps assert, so nothing would be
# gained by compiling everything a second time just for the tests.
run_tests() {
    local preset=release real=no
    while [[ ${1-} == --preset || ${1-} == --real ]]; do
        [[ $1 == --real ]] && real=yes && shift && continue
        preset=${2-}
        (cd "$root" && cmake --list-presets) | grep -qF "\"$preset\"" ||
            refuse_test "--preset needs the name of one in CMakePresets.json, not '$preset'"
        shift 2
    done
    if [[ $real == yes ]]; then
        run_real_tests "$preset" "$@"
        return
    fi
    check_ctest_arguments "$@"
    build "$preset" all || { echo '0 passed, 1 failed'; return 1; }

    # Test executables report their cases there, and ctest itself in ctest.xml, for the last line.
    local results=$root/build/$preset/test-results code=0
    rm -rf "$results"
    mkdir -p "$results"
    GTEST_OUTPUT=json:$results/ ctest --test-dir "$root/build/$preset" --output-on-failure \
        --parallel "$(nproc)" --output-junit "$results/ctest.xml" "$@" || code=1
    "$root/tools/count_tests" "$results" || code=1
    return $code
}

run_real_tests() {
    build "$1" drydock real_tests || { echo '0 passed, 1 failed'; return 1; }
    # Exec: a signal for us is for what stops the engines.
    exec "$root/tests/real/run.py" "$root/build/$1" "${@:2}"
}
