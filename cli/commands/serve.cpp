#include "commands/commands.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>
#include <drydock/serve/docker_service.hpp>

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace drydock::cli {
namespace {

struct ServeOptions {
    std::string endpoint;
    std::string kind = "docker";
    std::vector<std::string> images;
};

/// The path in "unix:PATH" or, as DOCKER_HOST has it, "unix://PATH".
std::string socket_path(std::string_view endpoint) {
    constexpr std::string_view scheme = "unix:";
    if (!endpoint.starts_with(scheme)) {
        throw faults::InputError("", fmt::format("--docker {}: only unix:PATH can be served",
                                                 faults::in_quotes(endpoint)));
    }
    endpoint.remove_prefix(scheme.size());
    if (endpoint.starts_with("//")) endpoint.remove_prefix(2);
    return std::string(endpoint);
}

void tell(const serve::Served& served) {
    const double milliseconds = std::chrono::duration<double, std::milli>(served.took).count();
    const std::string status = served.status == 0 ? "-" : fmt::to_string(served.status);
    print_error(fmt::format("{} {} {} {:.1f}ms{}\n", served.method, served.target, status,
                            milliseconds, served.is_delivered ? "" : " (client left)"));
}

int run_serve(const Context& context, const ServeOptions& options) {
    if (options.kind != "docker") {
        throw faults::InputError("", fmt::format("--kind {}: only docker can be served",
                                                 faults::in_quotes(options.kind)));
    }
    serve::DockerService service{.path = socket_path(options.endpoint), .images = options.images};
    // Also with --quiet: whoever starts a server waits for this line.
    service.on_ready = [&service, &output = context.output] {
        output.print(fmt::format("listening on unix:{}\n", service.path));
        output.check();
    };
    if (!context.options.is_quiet) service.on_request = tell;
    serve::serve_docker(service);
    return ok;
}

}  // namespace

void add_serve(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<ServeOptions>();
    CLI::App& command = add_command(
        app, context, "serve",
        "Put the simulated engine behind a real socket, in real time, until SIGTERM or SIGINT",
        "  drydock serve --docker unix:/tmp/drydock.sock\n"
        "  DOCKER_HOST=unix:///tmp/drydock.sock docker ps -a");
    command.add_option("--docker", options->endpoint, "where to listen, unix:PATH")
        ->type_name("ENDPOINT")
        ->required();
    command.add_option("--image", options->images, "an image that it has [every one]")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--kind", options->kind, "which engine")->capture_default_str();
    command.callback([&context, &action, options] {
        action = [&context, options] { return run_serve(context, *options); };
    });
}

}  // namespace drydock::cli
