#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/fields.hpp"
#include "docker/json_parts.hpp"
#include "docker/number.hpp"
#include "docker/streaming.hpp"
#include "engine/execs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace drydock::sim {
namespace {

using docker::Refusal;
using docker::StreamWriter;
using nlohmann::json;

Refusal no_such_exec(std::string_view id) {
    return {404, fmt::format("No such exec instance: {}", id)};
}

/// Why nothing can begin in it. An exec needs a container that runs.
std::optional<Refusal> why_no_exec_in(const Sandbox& sandbox) {
    if (sandbox.status == Status::paused) {
        return Refusal{409, fmt::format("Container {} is paused, unpause the container before exec",
                                        sandbox.name)};
    }
    if (sandbox.status == Status::restarting) {
        return Refusal{
            409, fmt::format("Container {} is restarting, wait until the container is running",
                             sandbox.id)};
    }
    return sandbox.status == Status::running
               ? std::nullopt
               : std::optional(
                     Refusal{409, fmt::format("Container {} is not running", sandbox.id)});
}

struct CreateExecBody {
    ExecConfig config;
    std::optional<Refusal> refusal;
};

/// A broken body is the client's fault here, unlike a create's.
CreateExecBody read_create_exec(const std::string& body) {
    CreateExecBody read;
    const json parsed = json::parse(body, nullptr, false);
    if (parsed.is_discarded()) {
        read.refusal = Refusal{400, body.empty() ? "EOF" : "unexpected EOF"};
        return read;
    }
    ExecConfig& config = read.config;
    docker::Fields fields(parsed, "ExecConfig.", read.refusal);
    fields.read("Cmd", config.argv);
    fields.read("Env", config.environment);
    fields.read("WorkingDir", config.folder);
    fields.read("User", config.user);
    fields.read("DetachKeys", config.detach_keys);
    fields.read("AttachStdin", config.has_input);
    fields.read("AttachStdout", config.has_output);
    fields.read("AttachStderr", config.has_error_output);
    fields.read("Tty", config.has_terminal);
    fields.read("Privileged", config.is_privileged);
    if (read.refusal) {
        read.refusal->status = 400;
    } else if (config.argv.empty()) {
        read.refusal = Refusal{400, "No exec command specified"};
    }
    return read;
}

struct StartBody {
    bool is_detached = false;
    bool is_raw = false;
    std::optional<Refusal> refusal{};
};

StartBody read_start(const std::string& body) {
    StartBody read;
    const json parsed = json::parse(body, nullptr, false);
    if (parsed.is_discarded()) {
        read.refusal =
            Refusal{400, body.empty() ? "got EOF while reading request body" : "unexpected EOF"};
        return read;
    }
    docker::Fields fields(parsed, "ExecStartCheck.", read.refusal);
    fields.read("Detach", read.is_detached);
    fields.read("Tty", read.is_raw);
    if (read.refusal) {
        read.refusal->status = 400;
    }
    return read;
}

std::optional<Refusal> why_not_begun(const Exec& exec, const Sandbox& sandbox) {
    if (exec.exit_code) {
        return Refusal{409, fmt::format("Error: Exec command {} has already run", exec.id)};
    }
    if (exec.is_running) {
        return Refusal{409, fmt::format("Error: Exec command {} is already running", exec.id)};
    }
    return why_no_exec_in(sandbox);
}

void pass_input(Execs& execs, Exec& exec, docker::DetachKeys& keys, std::string_view bytes) {
    if (!exec.config.has_terminal) {
        return execs.input(exec, bytes);
    }
    if (const auto passed = keys.pass(bytes)) {
        execs.input(exec, *passed);
    } else if (const auto listener = std::exchange(exec.listener, nullptr)) {
        listener->ended();
    }
}

/// What the client does reaches the program; once it has left, nobody listens.
StreamClient client_of(Execs& execs, const std::weak_ptr<Exec>& weak, docker::DetachKeys keys) {
    const auto end_input = [&execs, weak] {
        if (const auto exec = weak.lock()) {
            execs.input_end(*exec);
        }
    };
    return {.input =
                [&execs, weak, keys](std::string_view bytes) mutable {
                    if (const auto exec = weak.lock()) {
                        pass_input(execs, *exec, keys, bytes);
                    }
                },
            .input_end = end_input,
            .left =
                [weak, end_input] {
                    end_input();
                    if (const auto exec = weak.lock()) {
                        exec->listener.reset();
                    }
                }};
}

}  // namespace

void DockerModel::exec_create(const docker::Call& call, const Exchange& exchange) {
    CreateExecBody read = read_create_exec(call.request->body);
    const auto refuse = [&](const Refusal& refusal) {
        exchange.reply(docker::error_answer(refusal.status, refusal.message));
    };
    if (read.refusal) {
        return refuse(*read.refusal);
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    if (const auto refusal = why_no_exec_in(*found.sandbox)) {
        return refuse(*refusal);
    }
    if (!docker::DetachKeys::read(read.config.detach_keys)) {
        return refuse(
            {500, fmt::format("Invalid escape keys ({}) provided", read.config.detach_keys)});
    }
    const Exec& exec = engine_.execs().create(*found.sandbox, std::move(read.config));
    exchange.responder->applied();
    exchange.reply(docker::answer(201, fmt::format("{{\"Id\":\"{}\"}}\n", exec.id)));
}

void DockerModel::exec_start(const docker::Call& call, const Exchange& exchange) {
    const StartBody body = read_start(call.request->body);
    const auto exec = engine_.execs().find(call.reference);
    std::optional<Refusal> refusal = body.refusal;
    if (!refusal && !exec) {
        refusal = no_such_exec(call.reference);
    }
    if (refusal) {
        return exchange.reply(docker::error_answer(refusal->status, refusal->message));
    }
    if (body.is_detached) {
        start_detached(exec, exchange);
    } else {
        start_attached(exec, body.is_raw, *call.request, exchange);
    }
}

void DockerModel::start_detached(const std::shared_ptr<Exec>& exec, const Exchange& exchange) {
    if (const auto refusal = why_not_begun(*exec, engine_.sandbox(exec->sandbox))) {
        return exchange.reply(docker::error_answer(refusal->status, refusal->message));
    }
    const std::string error = engine_.execs().start(exec, nullptr);
    if (!error.empty()) {
        return exchange.reply(docker::error_answer(400, error));
    }
    engine_.execs().input_end(*exec);
    exchange.responder->applied();
    exchange.reply(docker::answer(200));
}

// The header goes out first, so that a failure can only be told in the stream.
void DockerModel::start_attached(const std::shared_ptr<Exec>& exec, bool is_raw,
                                 const Request& request, const Exchange& exchange) {
    Response head = docker::hijack_head(request);
    head.headers.push_back({"Api-Version", "1.41"});
    const auto refusal = why_not_begun(*exec, engine_.sandbox(exec->sandbox));
    const auto writer = std::make_shared<StreamWriter>(StreamWriter::Wanted{}, !is_raw);
    auto client = refusal ? StreamClient{}
                          : client_of(engine_.execs(), exec,
                                      *docker::DetachKeys::read(exec->config.detach_keys));
    writer->open(exchange.stream(std::move(head), std::move(client)));
    const std::string error = refusal ? refusal->message : engine_.execs().start(exec, writer);
    if (error.empty()) {
        return exchange.responder->applied();
    }
    writer->say(error + "\r\n");
    writer->ended();
}

void DockerModel::exec_inspect(const docker::Call& call, const Exchange& exchange) {
    const auto exec = engine_.execs().find(call.reference);
    if (!exec) {
        const Refusal refusal = no_such_exec(call.reference);
        return exchange.reply(docker::error_answer(refusal.status, refusal.message));
    }
    exchange.reply(docker::answer(200, docker::exec_text(*exec, engine_)));
}

void DockerModel::exec_resize(const docker::Call& call, const Exchange& exchange) {
    const docker::Number rows = docker::whole_number(call.parameter("h"));
    const docker::Number columns = docker::whole_number(call.parameter("w"));
    for (const std::string& error : {rows.error, columns.error}) {
        if (!error.empty()) {
            return exchange.reply(docker::error_answer(400, error));
        }
    }
    const auto exec = engine_.execs().find(call.reference);
    std::optional<Refusal> refusal;
    if (!exec) {
        refusal = no_such_exec(call.reference);
    } else {
        refusal = why_no_exec_in(engine_.sandbox(exec->sandbox));
    }
    if (refusal) {
        return exchange.reply(docker::error_answer(refusal->status, refusal->message));
    }
    engine_.execs().resize(*exec, static_cast<int>(rows.value), static_cast<int>(columns.value));
    exchange.reply(docker::answer(200));
}

namespace docker {

std::string exec_text(const Exec& exec, const SandboxEngine& engine) {
    const ExecConfig& config = exec.config;
    std::string body = R"({"ID":")" + exec.id + R"(","Running":)";
    append_flag(body, exec.is_running);
    body.append(R"(,"ExitCode":)");
    body.append(exec.exit_code ? std::to_string(*exec.exit_code) : "null");
    body.append(R"(,"ProcessConfig":{"tty":)");
    append_flag(body, config.has_terminal);
    body.append(R"(,"entrypoint":)");
    append_json(body, config.argv[0]);
    body.append(R"(,"arguments":)");
    append_strings(body, config.argv.data() + 1, config.argv.data() + config.argv.size());
    body.append(R"(,"privileged":)");
    append_flag(body, config.is_privileged);
    if (!config.user.empty()) {
        body.append(R"(,"user":)");
        append_json(body, config.user);
    }
    body.append(R"(},"OpenStdin":)");
    append_flag(body, config.has_input);
    body.append(R"(,"OpenStderr":)");
    append_flag(body, config.has_error_output);
    body.append(R"(,"OpenStdout":)");
    append_flag(body, config.has_output);
    body.append(R"(,"CanRemove":false,"ContainerID":")");
    body.append(engine.sandbox(exec.sandbox).id);
    body.append(R"(","DetachKeys":"","Pid":)");
    body.append(std::to_string(exec.pid == 0 ? 0 : host_pid(exec.sandbox, exec.pid)));
    return body.append("}\n");
}

}  // namespace docker
}  // namespace drydock::sim
