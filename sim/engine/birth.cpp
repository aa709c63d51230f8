#include <drydock/backend.hpp>
#include <drydock/sim/engine.hpp>

#include "engine/identity.hpp"
#include "engine/trait.hpp"

#include <algorithm>
#include <charconv>

namespace drydock::sim {
namespace {

std::uint32_t attempt_of(const SandboxConfig& config) {
    const std::string_view text = config.label(label::attempt);
    std::uint32_t attempt = 0;
    std::from_chars(text.data(), text.data() + text.size(), attempt);
    return attempt;
}

}  // namespace

std::string SandboxEngine::generated_name() {
    std::string name;
    do {
        name = "unnamed_" + std::to_string(++generated_names_);
    } while (named(name) != nullptr);
    return name;
}

std::string SandboxEngine::next_id(std::string_view name, const SandboxConfig& config,
                                   std::string_view salt) const {
    const auto before =
        std::count_if(sandboxes_.begin(), sandboxes_.end(),
                      [name](const auto& sandbox) { return sandbox->born_as == name; });
    return hex_digest({name, config.label(label::attempt), std::to_string(before), salt});
}

std::optional<Outcome> SandboxEngine::why_name_not_free(std::string_view name) {
    if (const Sandbox* holder = named(name)) {
        return Outcome{.verdict = Verdict::name_taken, .id = holder->id, .sandbox = holder};
    }
    for (const auto& [reserved, id] : reserved_) {
        if (reserved == name) {
            return Outcome{.verdict = Verdict::name_taken, .id = id};
        }
    }
    for (HeldName& held : held_names_) {
        if (held.name == name && world_.now() < held.until) {
            if (held.witness) {
                std::exchange(held.witness, nullptr)();
            }
            return Outcome{.verdict = Verdict::name_taken, .id = held.holder};
        }
    }
    return std::nullopt;
}

std::optional<Outcome> SandboxEngine::why_not_created(std::string_view name,
                                                      const SandboxConfig& config) {
    if (auto taken = why_name_not_free(name)) {
        return taken;
    }
    if (is_acknowledged(Call::create, name, nullptr)) {
        return Outcome{.id = next_id(name, config, "acknowledged")};
    }
    return std::nullopt;
}

Sandbox& SandboxEngine::bear(std::string name, SandboxConfig config, Status status) {
    auto made = std::make_unique<Sandbox>();
    Sandbox& sandbox = *made;
    sandbox.number = static_cast<std::uint32_t>(sandboxes_.size() + 1);
    sandbox.id = next_id(name, config, {});
    sandbox.name = std::move(name);
    sandbox.born_as = sandbox.name;
    sandbox.config = std::move(config);
    sandbox.status = status;
    sandbox.created = world_.now();

    SandboxTruth truth;
    truth.number = sandbox.number;
    truth.id = sandbox.id;
    truth.name = sandbox.name;
    truth.owner = sandbox.config.label(label::owner);
    truth.lease = sandbox.config.label(label::lease);
    truth.key = sandbox.config.label(label::key);
    truth.attempt = attempt_of(sandbox.config);
    truth.born = world_.now();

    sandboxes_.push_back(std::move(made));
    truths_.push_back(std::move(truth));
    record(EventKind::born, sandbox, static_cast<std::uint64_t>(status));
    for (const auto& trait : traits_) {
        if (trait->call == Call::create && trait->subject == 0 && trait->name == sandbox.name) {
            begin_for(*trait, sandbox);
        }
    }
    return sandbox;
}

void SandboxEngine::create(std::string name, SandboxConfig config, const Done& done) {
    if (name.empty()) {
        name = generated_name();
    }
    if (const auto decided = why_not_created(name, config)) {
        return done(*decided);
    }
    if (personality_.reveal_time == Duration::zero()) {
        return done(begin_create(std::move(name), std::move(config)));
    }
    reserved_.emplace_back(name, next_id(name, config, {}));
    world_.call_after(personality_.reveal_time, [this, name = std::move(name),
                                                 config = std::move(config), done]() mutable {
        std::erase_if(reserved_, [&](const auto& held) { return held.first == name; });
        done(begin_create(std::move(name), std::move(config)));
    });
}

Outcome SandboxEngine::begin_create(std::string name, SandboxConfig config) {
    const bool takes_time = personality_.create_time > Duration::zero();
    Sandbox& sandbox =
        bear(std::move(name), std::move(config), takes_time ? Status::creating : Status::created);
    announce(sandbox, "create");
    if (takes_time) {
        change_after(sandbox, personality_.create_time, &SandboxEngine::finish_create);
    }
    return {.applied = true, .id = sandbox.id, .sandbox = &sandbox};
}

void SandboxEngine::finish_create(Sandbox& sandbox) { set_status(sandbox, Status::created); }

Outcome SandboxEngine::create_broken(std::string name, SandboxConfig config) {
    if (name.empty()) {
        name = generated_name();
    }
    if (auto decided = why_not_created(name, config)) {
        return std::move(*decided);
    }
    Sandbox& sandbox = bear(std::move(name), std::move(config), personality_.broken);
    sandbox.error = "the create failed half-way";
    return {.applied = true, .id = sandbox.id, .sandbox = &sandbox};
}

Outcome SandboxEngine::rename(std::string_view reference, std::string name) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    if (sandbox->name == name) {
        return {.verdict = Verdict::same_name, .id = sandbox->id, .sandbox = sandbox};
    }
    if (auto taken = why_name_not_free(name)) {
        return std::move(*taken);
    }
    truths_[sandbox->number - 1].name = name;
    EventDetails details{.attributes = {{"oldName", "/" + sandbox->name}}};
    sandbox->name = std::move(name);
    announce(*sandbox, "rename", std::move(details));
    return {.applied = true, .id = sandbox->id, .sandbox = sandbox};
}

void SandboxEngine::update(const Sandbox& sandbox, SandboxConfig config) {
    sandboxes_[sandbox.number - 1]->config = std::move(config);
    announce(sandbox, "update");
}

}  // namespace drydock::sim
