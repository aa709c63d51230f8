#pragma once

#include "docker_support.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::test {

/// One recorded topic, replayed against a fresh model that knows the image bb. Status, the headers
/// that the model gives, and bodies are compared; `${...}` in a recording stands for anything of
/// its kind, and captured ids for themselves.
class Recording {
public:
    struct Step {
        std::string name;
        nlohmann::ordered_json json;
    };

    explicit Recording(const std::string& topic);

    const std::vector<Step>& steps() const noexcept { return steps_; }
    /// Runs the step. Empty if the model answers as recorded, else what differs.
    std::string difference(const Step& step);

private:
    Request request_of(const nlohmann::ordered_json& recorded) const;
    /// Steps that take more than one exchange, or none.
    void open(const nlohmann::ordered_json& step);
    void drop(const nlohmann::ordered_json& step);
    /// What the client of an open connection does.
    void act(const std::string& op, const nlohmann::ordered_json& step);
    void settle(const nlohmann::ordered_json& step, int usual_ms);
    std::string peek(const nlohmann::ordered_json& step);
    std::string race(const nlohmann::ordered_json& step);
    Response perform(const nlohmann::ordered_json& step);
    static bool holds(const nlohmann::ordered_json& until, const Response& response);
    std::string judge(const nlohmann::ordered_json& step, const Response& response);
    std::string compare(const nlohmann::ordered_json& step, const Response& response);
    std::string compare_path_stat(const nlohmann::ordered_json& headers,
                                  const Response& response) const;
    std::string compare_body(const nlohmann::ordered_json& step, const Response& response);
    std::string substituted(std::string text) const;
    /// What of a body the step shows.
    nlohmann::ordered_json shown(const nlohmann::ordered_json& step,
                                 nlohmann::ordered_json body) const;
    /// Recordings were sorted with their placeholders in place of ids.
    std::string sort_key(const nlohmann::ordered_json* value) const;
    /// The engine's clock, in seconds since 1970.
    std::string seconds_now(int digits, int later = 0) const;
    void mark(const nlohmann::ordered_json& step);
    void capture(const nlohmann::ordered_json& step, const Response& response);
    /// The path of the first value that differs, or empty.
    std::string mismatch(const nlohmann::ordered_json& recorded, const nlohmann::ordered_json& seen,
                         const std::string& path) const;
    bool matches(const std::string& recorded, const nlohmann::ordered_json& seen) const;

    std::vector<Step> steps_;
    std::map<std::string, std::string> variables_;
    std::map<std::string, std::shared_ptr<RecordingResponder>> connections_;
    ModelHarness harness_;
};

}  // namespace drydock::sim::test
