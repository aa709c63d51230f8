#pragma once

#include <drydock/sim/engine.hpp>
#include <drydock/sim/exec.hpp>
#include <drydock/transport.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// An answer with the recorded headers; no body means no Content-Type.
Response answer(int status, std::string body = {});
/// {"message": ...} and a newline, as all of the engine's errors are.
Response error_answer(int status, std::string_view message);
/// An answer in plain text.
Response text_answer(int status, std::string text);
/// The error that a refusal by the engine is, or the success. `reference` is how the request named
/// the container.
Response outcome_answer(const Outcome& outcome, std::string_view reference,
                        std::string_view error_prefix = {});
/// What an engine says with a status that a plan chose.
Response chosen_answer(int status);

/// The HTTP library's own answer: without any of the engine's headers.
Response no_such_route();
/// What /_ping, /version and /info say, and the refusal of a version in the path.
Response ping_answer(const Request& request);
Response version_answer();
Response info_answer(SandboxEngine& engine);
struct Call;
Response version_refusal(const Call& call);

Response created_answer(std::string_view id, bool warns_of_ports);
std::string exec_text(const Exec& exec, const SandboxEngine& engine);
void append_inspect(std::string& body, const Sandbox& sandbox, const SandboxEngine& engine,
                    bool with_size);
void append_list_entry(std::string& body, const Sandbox& sandbox, const SandboxEngine& engine,
                       bool with_size);

void append_json(std::string& json, std::string_view text);
/// RFC 3339 as Go prints it: fraction without trailing zeros.
void append_time(std::string& json, WallTime wall);
/// The same with all nine digits and a blank, as a line of the log begins.
void append_log_time(std::string& text, WallTime wall);
/// "Less than a second", "3 seconds", "About a minute", ...
std::string human_duration(Duration duration);

/// What the host sees of a process, in or with the sandbox of that number.
std::uint32_t host_pid(std::uint32_t sandbox, std::uint32_t pid);
std::string image_id(std::string_view image);
/// The key of NetworkSettings.Networks for a network mode.
std::string_view network_of(const SandboxConfig& config);

}  // namespace drydock::sim::docker
