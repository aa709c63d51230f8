# ./drydock lint: all checks that do not run the program. Goes on after a failure, to show them all.
run_lints() {
    local failed=()
    lint() { "${@:2}" || failed+=("$1"); }

    configure release || return
    lint format "$root/tools/lint/format"
    lint layers "$root/tools/lint/layers"
    lint banned_calls "$root/tools/lint/banned_calls"
    lint coroutines "$root/tools/lint/coroutines"
    lint shell "$root/tools/lint/shell"
    lint headers build release check_headers
    lint tidy "$root/tools/lint/tidy"

    ((${#failed[@]} == 0)) && return
    echo "drydock: lint failed: ${failed[*]}" >&2
    return 1
}
