#pragma once

#include <drydock/scenarios/reader.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace drydock::scenarios {

inline const std::vector<std::string>& known_kinds() {
    static const std::vector<std::string> kinds{"docker", "daytona"};
    return kinds;
}

inline Scenario read_text(const std::string& text) {
    return read_scenario(text, "a.json", known_kinds());
}

/// What reading says, "no error" if nothing.
inline std::string error_in(const std::string& text) {
    try {
        static_cast<void>(read_text(text));
    } catch (const faults::InputError& error) {
        return error.what();
    }
    return "no error";
}

/// A scenario that uses every field of the format.
inline nlohmann::json full_document() {
    return nlohmann::json::parse(R"--({
      "schema": "drydock.scenario/1", "name": "strix-768", "about": "one line",
      "source": "usestrix/strix#768",
      "backend": {"kind": ["docker", "daytona"]},
      "client": {"attempts": 4, "backoff": {"base": "2s", "factor": 3, "ceiling": "1m",
                 "jitter": 0.5}, "request_timeout": "30s", "ready_timeout": "20s",
                 "teardown_deadline": "60s", "deadline": "5m", "late_horizon": "10m",
                 "late_watch": "15s", "settle": "500ms", "restart_after": "3s"},
      "processes": [
        {"name": "runner", "actors": [
          {"name": "main", "steps": [
            {"acquire": "scan-1"}, {"hold": "40s"}, {"release": "scan-1"}]},
          {"name": "b", "steps": [
            {"acquire": "scan/2", "staging": {"prepare": "1s", "clean": "2s"},
             "undo": ["rm-key", "rm-dir"], "bootstrap": {"duration": "5s"}, "tries": 2,
             "deadline": "45s"},
            {"attach": "scan-1"}, {"cleanup": "scan/2"}, {"close": true}]}]},
        {"name": "other", "actors": [{"name": "main", "steps": []}]}],
      "plan": [
        {"at": "runner[scan-1]/container_start#1/fate", "choose": "status_before(500)",
         "repeat": "until_faults_stop"},
        {"at": "runner[scan-1]/container_remove#1/cancel", "choose": ["before", "in_flight@b"]},
        {"at": "nobody[-]/container_list#1/fate",
         "choose": {"arrival": "twice", "reply": "reset"}}],
      "expect": {"verdict": "pass", "steps": {"runner/main#1": "error:unavailable",
                 "runner/b#2": "skipped"}, "held": ["runner[scan%2F2]"],
                 "legacy": {"strix-768": ["no_leak", "one_per_lease"]},
                 "by_kind": {"daytona": {"steps": {"runner/main#1": "ok"}}}},
      "found": {"client": "strix-768", "invariant": "no_leak", "subject": "runner[scan-1]",
                "digest": "0123456789abcdef"}})--");
}

/// The smallest scenario.
inline nlohmann::json small_document() {
    return nlohmann::json::parse(R"({
      "schema": "drydock.scenario/1", "name": "small", "backend": {"kind": "docker"},
      "processes": [{"name": "p", "actors": [{"name": "a", "steps": [{"acquire": "k"}]}]}]})");
}

}  // namespace drydock::scenarios
