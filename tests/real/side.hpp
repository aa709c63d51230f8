#pragma once

#include "wire.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::real {

/// What an engine holds of one sequence: a line per container, newest first.
struct Observation {
    std::vector<std::string> containers;
    /// False while the engine is still at work by itself, as on a removal.
    bool settled = true;

    std::string text() const;
};

/// One of the two engines that a sequence runs on. All that it makes has a label of its own and
/// names with a prefix, so that sequences can run side by side.
class Side {
public:
    Side(std::string socket, const std::string& prefix);

    /// Removes what the sequence before left.
    void clean();
    /// The answer to a call, with ids, generated names, times and the prefix taken out.
    std::string perform(std::string_view call);
    Observation observe();

private:
    Answer ask(const Request& request);
    nlohmann::json list();

    std::string create(std::string_view call);
    std::string wait(std::string_view call);
    std::string settle(std::string_view call);
    std::string join();
    std::string twice(std::string_view call);
    std::string raw(const std::string& method, std::string_view call);
    std::string list(std::string_view call);
    std::string act(const std::string& verb, std::string_view call);

    Request request_of(const std::string& verb, std::string_view call) const;
    /// The path's part that stands for a container: `a`, `id:a`, `pre:a`, `=text`.
    std::string resolve(std::string_view target) const;
    std::string substituted(std::string_view text) const;
    std::string status_of(std::string_view target);
    std::string told(const Answer& answer) const;
    std::string normal(std::string text) const;
    std::string container_line(const std::string& id, bool& settled);
    void await_death(const std::string& target);

    std::string socket_;
    std::string prefix_;
    std::map<std::string, std::string, std::less<>> ids_;
    /// Texts and what stands for them in answers, in order of being seen.
    std::vector<std::pair<std::string, std::string>> replaced_;
    std::optional<Exchange> open_;
};

}  // namespace drydock::real
