#include "docker/answers.hpp"
#include "docker/health.hpp"
#include "docker/inspect_text.hpp"
#include "docker/json_parts.hpp"
#include "docker/mounts.hpp"
#include "docker/network_parts.hpp"
#include "docker/options.hpp"
#include "engine/execs.hpp"
#include "engine/identity.hpp"

#include <array>

namespace drydock::sim::docker {
namespace {

/// Puts the options into the object that begins there and ends the body.
void apply_options(std::string& body, std::size_t begin, const std::string& options) {
    if (!options.empty()) {
        const std::string object = with_options(std::string_view(body).substr(begin), options);
        body.replace(begin, std::string::npos, object);
    }
}

void append_state(std::string& body, const Sandbox& sandbox, const SandboxEngine& engine) {
    const bool was_up = is_up(sandbox);
    const bool is_restarting = sandbox.status == Status::restarting;
    body.append(R"(,"State":{"Status":")").append(name(sandbox.status));
    body.append(R"(","Running":)");
    append_flag(body, was_up || is_restarting);
    body.append(R"(,"Paused":)");
    append_flag(body, sandbox.status == Status::paused);
    body.append(R"(,"Restarting":)");
    append_flag(body, is_restarting);
    body.append(R"(,"OOMKilled":)");
    append_flag(body, sandbox.oom_killed);
    body.append(R"(,"Dead":)");
    append_flag(body, sandbox.status == Status::dead);
    body.append(R"(,"Pid":)").append(was_up ? std::to_string(host_pid(sandbox.number, 1)) : "0");
    body.append(R"(,"ExitCode":)").append(std::to_string(sandbox.exit_code));
    body.append(R"(,"Error":)");
    append_json(body, sandbox.error);
    body.append(R"(,"StartedAt":)");
    if (sandbox.has_run) {
        append_time(body, engine.wall_at(sandbox.started));
    } else {
        body.append(text::never);
    }
    body.append(R"(,"FinishedAt":)");
    if (sandbox.has_ended) {
        append_time(body, engine.wall_at(sandbox.finished));
    } else {
        body.append(text::never);
    }
    append_health(body, sandbox, engine);
    body.push_back('}');
}

/// The files on the host: made by the first start that comes so far.
void append_path(std::string& body, std::string_view key, const Sandbox& sandbox,
                 std::string_view file, bool with_id) {
    body.append(key);
    if (sandbox.is_connected_once) {
        body.append(text::data_root).append(sandbox.id).push_back('/');
        if (with_id) {
            body.append(sandbox.id);
        }
        body.append(file);
    }
    body.push_back('"');
}

void append_bindings(std::string& body, const SandboxConfig& config) {
    if (config.port_bindings.empty()) {
        body.append(config.has_port_bindings ? "{}" : "null");
        return;
    }
    const PortBinding* before = nullptr;
    for (const PortBinding& binding : config.port_bindings) {
        if (before == nullptr || before->port != binding.port) {
            body.append(before == nullptr ? "{" : "],");
            append_json(body, binding.port);
            body.append(":[");
        } else {
            body.push_back(',');
        }
        body.append(R"({"HostIp":)");
        append_json(body, binding.host_ip);
        body.append(R"(,"HostPort":)");
        append_json(body, binding.host_port);
        body.push_back('}');
        before = &binding;
    }
    body.append("]}");
}

void append_restart_policy(std::string& body, const SandboxConfig& config) {
    constexpr std::array<std::string_view, 5> names = {"", "no", "always", "unless-stopped",
                                                       "on-failure"};
    body.append(R"(,"RestartPolicy":{"Name":")");
    body.append(names[static_cast<std::size_t>(config.restart_policy)]);
    body.append(R"(","MaximumRetryCount":)").append(std::to_string(config.maximum_retries));
    body.push_back('}');
}

void append_host_config(std::string& body, const Sandbox& sandbox) {
    body.append(R"(,"HostConfig":)");
    const std::size_t begin = body.size();
    body.append(text::host_config_begin);
    append_json(body, sandbox.config.network_mode);
    body.append(R"(,"PortBindings":)");
    append_bindings(body, sandbox.config);
    append_restart_policy(body, sandbox.config);
    body.append(R"(,"AutoRemove":)");
    append_flag(body, sandbox.config.auto_remove);
    body.append(text::host_config_end);
    apply_options(body, begin, sandbox.config.host_options);
}

void append_exposed(std::string& body, const SandboxConfig& config) {
    char before = '{';
    body.append(R"(,"ExposedPorts":)");
    for (const std::string& port : config.exposed_ports) {
        body.push_back(before);
        append_json(body, port);
        body.append(":{}");
        before = ',';
    }
    body.push_back('}');
}

void append_config(std::string& body, const Sandbox& sandbox) {
    const SandboxConfig& config = sandbox.config;
    body.append(R"(,"Config":)");
    const std::size_t begin = body.size();
    body.append(R"({"Hostname":")").append(sandbox.id, 0, 12);
    body.append(R"(","Domainname":"","User":)");
    append_json(body, config.user);
    body.append(text::attached);
    if (!config.exposed_ports.empty()) {
        append_exposed(body, config);
    }
    body.append(R"(,"Tty":)");
    append_flag(body, config.tty);
    body.append(R"(,"OpenStdin":)");
    append_flag(body, config.open_stdin);
    body.append(R"(,"StdinOnce":false,"Env":)");
    if (config.has_environment) {
        append_strings(body, config.environment);
    } else {
        body.append("null");
    }
    body.append(R"(,"Cmd":)");
    append_list_or_null(body, config.command);
    body.append(R"(,"Image":)");
    append_json(body, config.image);
    body.append(R"(,"Volumes":null,"WorkingDir":)");
    append_json(body, config.working_dir);
    body.append(R"(,"Entrypoint":)");
    append_list_or_null(body, config.entrypoint);
    body.append(R"(,"OnBuild":null,"Labels":)");
    append_labels(body, config);
    if (!config.stop_signal_text.empty()) {
        body.append(R"(,"StopSignal":)");
        append_json(body, config.stop_signal_text);
    }
    if (config.stop_timeout) {
        body.append(R"(,"StopTimeout":)").append(std::to_string(*config.stop_timeout));
    }
    body.push_back('}');
    apply_options(body, begin, config.config_options);
}

void append_network_settings(std::string& body, const Sandbox& sandbox) {
    const std::string endpoint = endpoint_id(sandbox);
    body.append(R"(,"NetworkSettings":{"Bridge":"","SandboxID":")");
    const std::string network_sandbox =
        sandbox.is_connected_once ? hex_digest({"sandbox", sandbox.id}) : std::string();
    body.append(network_sandbox);
    body.append("\"").append(text::network_settings);
    append_port_map(body, sandbox);
    body.append(R"(,"SandboxKey":")");
    if (sandbox.is_connected_once) {
        body.append("/var/run/docker/netns/").append(network_sandbox, 0, 12);
    }
    body.append("\"").append(text::addresses);
    if (has_address(sandbox)) {
        body.append(endpoint);
    }
    body.push_back('"');
    append_settings_address(body, sandbox);
    body.append(R"(,"Networks":)");
    append_networks(body, sandbox, endpoint);
    body.push_back('}');
}

}  // namespace

void append_inspect(std::string& body, const Sandbox& sandbox, const SandboxEngine& engine,
                    bool with_size) {
    const std::vector<std::string> argv = sandbox.config.argv();
    body.reserve(body.size() + 4096);
    body.append(R"({"Id":")").append(sandbox.id).append(R"(","Created":)");
    append_time(body, engine.wall_at(sandbox.created));
    body.append(R"(,"Path":)");
    append_json(body, argv.empty() ? std::string_view() : std::string_view(argv[0]));
    body.append(R"(,"Args":)");
    append_strings(body, argv.data() + (argv.empty() ? 0 : 1), argv.data() + argv.size());
    append_state(body, sandbox, engine);
    body.append(R"(,"Image":)");
    append_json(body, image_id(sandbox.config.image));
    append_path(body, R"(,"ResolvConfPath":")", sandbox, "resolv.conf", false);
    append_path(body, R"(,"HostnamePath":")", sandbox, "hostname", false);
    append_path(body, R"(,"HostsPath":")", sandbox, "hosts", false);
    append_path(body, R"(,"LogPath":")", sandbox, "-json.log", true);
    body.append(R"(,"Name":)");
    append_json(body, "/" + sandbox.name);
    body.append(R"(,"RestartCount":)").append(std::to_string(sandbox.restarts));
    body.append(R"(,"Driver":"vfs","Platform":"linux","MountLabel":"",)");
    body.append(R"("ProcessLabel":"","AppArmorProfile":"","ExecIDs":)");
    append_list_or_null(body, engine.execs().pending_in(sandbox));
    append_host_config(body, sandbox);
    body.append(text::graph_driver);
    if (with_size) {
        body.append(R"(,"SizeRw":0,"SizeRootFs":1982353)");
    }
    body.append(R"(,"Mounts":)");
    append_mounts(body, sandbox);
    append_config(body, sandbox);
    append_network_settings(body, sandbox);
    body.append("}\n");
}

}  // namespace drydock::sim::docker
