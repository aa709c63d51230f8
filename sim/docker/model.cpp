#include <drydock/sim/docker_face.hpp>

#include "docker/answers.hpp"
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/filters.hpp"
#include "docker/images.hpp"
#include "docker/mounts.hpp"
#include "docker/number.hpp"
#include "docker/platform.hpp"
#include "engine/execs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace drydock::sim {

namespace {

std::optional<Call> traceable(docker::Call::Route route) {
    switch (route) {
        case docker::Call::Route::create: return Call::create;
        case docker::Call::Route::start: return Call::start;
        case docker::Call::Route::inspect: return Call::inspect;
        case docker::Call::Route::list: return Call::list;
        case docker::Call::Route::remove: return Call::remove;
        case docker::Call::Route::exec_create:
        case docker::Call::Route::exec_start:
        case docker::Call::Route::exec_inspect: return Call::exec;
        default: return std::nullopt;  // no trait sets in with the others
    }
}

bool is_by_exec(docker::Call::Route route) {
    return route >= docker::Call::Route::exec_start && route <= docker::Call::Route::exec_resize;
}

}  // namespace

DockerModel::DockerModel(World& world, Personality personality) : engine_(world, personality) {}

void DockerModel::add_image(std::string_view reference) {
    images_.push_back(docker::with_tag(reference));
}

bool DockerModel::knows_image(std::string_view reference) const {
    return images_.empty() ||
           std::find(images_.begin(), images_.end(), docker::with_tag(reference)) != images_.end();
}

std::uint32_t DockerModel::addressed_by(const Request& request) const {
    const docker::Call call = docker::read_route(request);
    if (is_by_exec(call.route)) {
        const auto exec = engine_.execs().find(call.reference);
        return exec ? exec->sandbox : 0;
    }
    for (const SandboxTruth& truth : engine_.truths()) {
        if (truth.id == call.reference) {
            return truth.number;
        }
    }
    return 0;
}

void DockerModel::handle(const Request& request, Intervention intervention,
                         std::shared_ptr<Responder> responder) {
    Exchange exchange{{}, std::nullopt, std::move(responder)};
    if (intervention.fate != nullptr) {
        exchange.chosen = intervention.fate->answer;
    }
    if (intervention.trait != nullptr) {
        exchange.trait = *intervention.trait;
    }
    const docker::Call call = docker::read_call(request);
    if (!call.version_error.empty()) {
        exchange.responder->reply(docker::version_refusal(call));
        return;
    }
    begin_trait(call, exchange);
    if (exchange.is(faults::Answer::Kind::before)) {
        exchange.responder->reply(docker::chosen_answer(exchange.chosen.status));
        return;
    }
    dispatch(call, exchange);
}

void DockerModel::begin_trait(const docker::Call& call, const Exchange& exchange) {
    const auto kind = traceable(call.route);
    if (!exchange.trait || !kind) {
        return;
    }
    std::string_view reference = call.reference;
    if (call.route == docker::Call::Route::create) {
        reference = call.parameter("name");
    } else if (is_by_exec(call.route)) {
        const auto exec = engine_.execs().find(call.reference);
        reference = exec ? engine_.sandbox(exec->sandbox).id : std::string_view();
    }
    engine_.begin_trait(*exchange.trait, *kind, reference,
                        [responder = exchange.responder] { responder->trait_took_effect(); });
}

void DockerModel::dispatch(const docker::Call& call, const Exchange& exchange) {
    switch (call.route) {
        case docker::Call::Route::create: create(call, exchange); break;
        case docker::Call::Route::start: start(call, exchange); break;
        case docker::Call::Route::inspect: inspect(call, exchange); break;
        case docker::Call::Route::list: list(call, exchange); break;
        case docker::Call::Route::remove: remove(call, exchange); break;
        case docker::Call::Route::stop: stop(call, exchange); break;
        case docker::Call::Route::kill: kill(call, exchange); break;
        case docker::Call::Route::restart: restart(call, exchange); break;
        case docker::Call::Route::pause:
            settle(engine_.pause(call.reference), call, exchange);
            break;
        case docker::Call::Route::unpause:
            settle(engine_.unpause(call.reference), call, exchange);
            break;
        case docker::Call::Route::rename: rename(call, exchange); break;
        case docker::Call::Route::wait: wait(call, exchange); break;
        case docker::Call::Route::exec_create: exec_create(call, exchange); break;
        case docker::Call::Route::exec_start: exec_start(call, exchange); break;
        case docker::Call::Route::exec_inspect: exec_inspect(call, exchange); break;
        case docker::Call::Route::exec_resize: exec_resize(call, exchange); break;
        case docker::Call::Route::logs: logs(call, exchange); break;
        case docker::Call::Route::attach: attach(call, exchange); break;
        case docker::Call::Route::archive: archive(call, exchange); break;
        case docker::Call::Route::copy:  // it was given up with API 1.24
            exchange.reply(docker::answer(404));
            break;
        case docker::Call::Route::events: events(call, exchange); break;
        case docker::Call::Route::top: top(call, exchange); break;
        case docker::Call::Route::stats: stats(call, exchange); break;
        case docker::Call::Route::resize: resize(call, exchange); break;
        case docker::Call::Route::update: update(call, exchange); break;
        case docker::Call::Route::changes: changes(call, exchange); break;
        case docker::Call::Route::ping: exchange.reply(docker::ping_answer(*call.request)); break;
        case docker::Call::Route::version: exchange.reply(docker::version_answer()); break;
        case docker::Call::Route::info: exchange.reply(docker::info_answer(engine_)); break;
        case docker::Call::Route::image: image(call, exchange); break;
        case docker::Call::Route::image_list: list_images(call, exchange); break;
        case docker::Call::Route::image_tag: tag_image(call, exchange); break;
        case docker::Call::Route::image_remove: remove_image(call, exchange); break;
        case docker::Call::Route::commit: commit(call, exchange); break;
        case docker::Call::Route::disk_usage: disk_usage(exchange); break;
        case docker::Call::Route::volume: volume(call, exchange); break;
        case docker::Call::Route::network: network(call, exchange); break;
        case docker::Call::Route::none: exchange.reply(docker::no_such_route()); break;
    }
}

void DockerModel::settle(const Outcome& outcome, const docker::Call& call,
                         const Exchange& exchange) {
    if (outcome.applied) {
        exchange.responder->applied();
    }
    exchange.reply(outcome, call.reference);
}

void DockerModel::start(const docker::Call& call, const Exchange& exchange) {
    settle(engine_.start(call.reference), call, exchange);
}

void DockerModel::inspect(const docker::Call& call, const Exchange& exchange) {
    const Outcome outcome = engine_.inspect(call.reference);
    if (outcome.verdict != Verdict::done) {
        exchange.reply(outcome, call.reference);
        return;
    }
    std::string body;
    docker::append_inspect(body, *outcome.sandbox, engine_, call.flag("size"));
    exchange.reply(docker::answer(200, std::move(body)));
}

void DockerModel::list(const docker::Call& call, const Exchange& exchange) {
    const docker::Filters filters = docker::read_filters(call.parameter("filters"));
    const std::string_view limit_text = call.parameter("limit");
    const docker::Number limit = docker::whole_number(limit_text.empty() ? "0" : limit_text);
    for (const std::string& error : {filters.error, limit.error}) {
        if (!error.empty()) {
            return exchange.reply(docker::error_answer(500, error));
        }
    }
    if (const auto refusal = docker::refused_filters(filters, engine_)) {
        return exchange.reply(docker::error_answer(refusal->status, refusal->message));
    }
    const bool shows_all = call.flag("all") || limit.value > 0 || filters.has("status");
    std::string body = "[";
    std::int64_t count = 0;
    for (const Sandbox* sandbox : engine_.list()) {
        const bool is_up = sandbox->status == Status::running ||
                           sandbox->status == Status::paused ||
                           sandbox->status == Status::restarting;
        if ((!shows_all && !is_up) || !docker::passes(filters, *sandbox, engine_)) {
            continue;
        }
        if (count++ > 0) {
            body.push_back(',');
        }
        docker::append_list_entry(body, *sandbox, engine_, call.flag("size"));
        if (count == limit.value) {
            break;
        }
    }
    body.append("]\n");
    exchange.reply(docker::answer(200, std::move(body)));
}

void DockerModel::remove(const docker::Call& call, const Exchange& exchange) {
    if (call.flag("link")) {
        exchange.reply(docker::error_answer(
            500, "Conflict, cannot remove the default link name of the container"));
        return;
    }
    engine_.remove(
        call.reference, call.flag("force"), [&] { exchange.responder->applied(); },
        [exchange, reference = call.reference](const Outcome& outcome) {
            exchange.reply(outcome, reference);
        });
}

// A container without an image can be made; it has no files.
std::optional<docker::Refusal> DockerModel::why_no_image(std::string_view image,
                                                         std::string_view platform) const {
    if (image.empty()) {
        return std::nullopt;
    }
    if (auto refusal = docker::refused_image(image)) {
        return refusal;
    }
    if (!knows_image(image)) {
        return docker::Refusal{404, "No such image: " + docker::with_tag(image)};
    }
    return docker::refused_image_platform(platform, image);
}

void DockerModel::create(const docker::Call& call, const Exchange& exchange) {
    const std::string name(call.parameter("name"));
    docker::CreateBody read =
        docker::read_create_body(call.request->content_type, call.request->body);
    const auto refuse = [&](int status, std::string_view message) {
        exchange.reply(docker::error_answer(status, message));
    };
    if (read.refusal) {
        return refuse(read.refusal->status, read.refusal->message);
    }
    const std::string_view platform = call.parameter("platform");
    if (const auto refusal = docker::refused_platform(platform)) {
        return refuse(refusal->status, refusal->message);
    }
    if (const auto refusal = why_no_image(read.config.image, platform)) {
        return refuse(refusal->status, refusal->message);
    }
    if (!images_.empty() && read.config.argv().empty()) {
        return refuse(400, "No command specified");  // the images told have none of their own
    }
    if (!name.empty() && !docker::is_name(name)) {
        return refuse(400, fmt::format("Invalid container name ({}), only "
                                       "[a-zA-Z0-9][a-zA-Z0-9_.-] are allowed",
                                       name));
    }
    if (const auto refusal = docker::late_refusal(engine_, name, read)) {
        return refuse(refusal->status, refusal->message);
    }
    const bool is_partial = exchange.is(faults::Answer::Kind::partial);
    const auto done = [this, exchange, name, is_partial,
                       warns = read.discards_ports](const Outcome& outcome) {
        if (outcome.verdict != Verdict::done) {
            return exchange.reply(outcome, name);
        }
        if (outcome.applied) {
            exchange.responder->applied();
            add_volumes_of(*outcome.sandbox);
        }
        if (is_partial && outcome.applied) {
            return exchange.responder->reply(docker::chosen_answer(exchange.chosen.status));
        }
        exchange.reply(docker::created_answer(outcome.id, warns));
    };
    if (is_partial) {
        return done(engine_.create_broken(name, std::move(read.config)));
    }
    engine_.create(name, std::move(read.config), done);
}

}  // namespace drydock::sim
