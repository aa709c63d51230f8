# ./drydock test [--preset P] [ctest arguments]
#
# The default preset is the one that ./drydock itself uses: it keeps assert, so nothing would be
# gained by compiling everything a second time just for the tests.
run_tests() {
    local preset=release
    if [[ ${1-} == --preset ]]; then
        preset=${2:?--preset needs a name}
        shift 2
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
