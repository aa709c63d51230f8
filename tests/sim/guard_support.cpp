#include "sim/guard_support.hpp"

#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace drydock::sim::test {

std::string Ran::answer() const {
    const std::size_t end = out.rfind("end ");
    const std::string text = out.substr(end == std::string::npos ? 0 : end);
    return text.substr(0, text.find('\n'));
}

SandboxConfig GuardHarness::plain() {
    SandboxConfig config;
    config.image = "bb";
    config.command = {"sleep", "1000000"};
    config.labels = {{"drydock.lease", "scan-1"}, {"drydock.owner", "runner"}};
    return config;
}

GuardHarness::GuardHarness(SandboxConfig config) {
    engine.create("c1", std::move(config), [](const Outcome&) {});
    engine.start("c1");
    const WallTime now = engine.wall_at(world.now());
    files().make_folder("/.drydock", now, 01777);
    files().append(guard_path, "the script", now);
    engine.on_guard_step([this](const SandboxTruth&) -> StepIntervention {
        const auto chosen = plan.find(++steps);
        if (chosen == plan.end()) return {};
        return {.fault = &chosen->second, .struck = &struck[steps]};
    });
}

// An exec that has not ended and the listener that it still has own one another.
GuardHarness::~GuardHarness() {
    for (const auto& exec : execs_)
        exec->listener.reset();
}

std::shared_ptr<Ran> GuardHarness::run(Words argv, Words environment) {
    auto ran = std::make_shared<Ran>();
    ExecConfig config;
    config.argv = std::move(argv);
    config.environment = std::move(environment);
    config.has_output = true;
    config.has_error_output = true;
    Execs& execs = engine.execs();
    ran->exec = execs.find(execs.create(*engine.resolve("c1"), std::move(config)).id);
    execs_.push_back(ran->exec);
    execs.start(ran->exec, ran);
    return ran;
}

std::shared_ptr<Ran> GuardHarness::guard(Words words) {
    words.insert(words.begin(), {"sh", std::string(guard_path)});
    return run(std::move(words));
}

std::shared_ptr<Ran> GuardHarness::launch(Words job, std::string in) {
    Words words = {"launch", "j", std::move(in), "-", "--", "drydock-job"};
    words.insert(words.end(), job.begin(), job.end());
    return guard(std::move(words));
}

std::string GuardHarness::end_of(const std::shared_ptr<Ran>& ran) {
    world.run_until([&] { return ran->has_ended; });
    return ran->answer();
}

void GuardHarness::restart() {
    engine.restart("c1", 0, [] {}, [](const Outcome&) {});
    world.run_until([&] { return engine.resolve("c1")->starts == 2; });
}

void GuardHarness::signal(const Ran& ran, int number) {
    Tasks& tasks = engine.tasks(ran.exec->sandbox);
    if (Task* const task = tasks.find(ran.exec->pid)) {
        tasks.signal(*task, number);
    }
}

std::string GuardHarness::entry(std::string_view name) {
    const FoundFile found = files().look_up("/.drydock/j/" + std::string(name), LastLink::kept);
    return found.inode == nullptr ? "-" : found.inode->content;
}

std::vector<std::string> GuardHarness::claims() {
    std::vector<std::string> all;
    for (std::size_t n = 1;; ++n) {
        const std::string text = entry("claim." + std::to_string(n));
        if (text == "-") return all;
        all.push_back(text);
    }
}

std::size_t GuardHarness::begun(std::string_view job) const {
    const auto all = engine.processes();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(),
        [&](const ProcessTruth& truth) { return truth.begins_job && truth.job == job; }));
}

const ProcessTruth* GuardHarness::truth(std::string_view job) const {
    const auto all = engine.processes();
    const auto at = std::find_if(all.begin(), all.end(), [&](const ProcessTruth& truth) {
        return truth.begins_job && truth.job == job;
    });
    return at == all.end() ? nullptr : &*at;
}

std::size_t GuardHarness::living(std::string_view job) const {
    const auto all = engine.processes();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(),
        [&](const ProcessTruth& truth) { return !truth.has_ended && truth.job == job; }));
}

std::uint64_t GuardHarness::digest() {
    std::string all = std::to_string(world.trace().digest());
    for (const auto& [path, inode] : files().root().changes()) {
        const std::string content = inode ? inode->content : "gone";
        all += fmt::format("|{} {}", path, content);
    }
    for (const ProcessTruth& truth : engine.processes()) {
        all += fmt::format("|{} {} {} {} {} {} {}", truth.pid, truth.parent, truth.job,
                           truth.begun.time_since_epoch().count(),
                           truth.ended.time_since_epoch().count(), truth.exit_code, truth.out);
    }
    return faults::fnv1a(all);
}

}  // namespace drydock::sim::test
