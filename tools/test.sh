# ./drydock test [--preset P] [ctest arguments]
# ./drydock test --real [--preset P] [stages]      against live engines; see tests/real/README.md
#
# The default preset is the one that ./drydock itself uses: it keeps assert, so nothing would be
# gained by compiling everything a second time just for the tests.
run_tests() {
    local preset=release real=no
    while true; do
        case ${1-} in
            --preset) preset=${2:?--preset needs a name}; shift 2 ;;
            --real) real=yes; shift ;;
            *) break ;;
        esac
    done
    if [[ $real == yes ]]; then
        run_real_tests "$preset" "$@"
        return
    fi
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
