#include "compare.hpp"

#include "side.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <fstream>
#include <thread>

namespace drydock::real {

using namespace std::chrono_literals;

namespace {

/// How many sequences run at once: starting containers is mostly work of the processor.
constexpr std::size_t workers = 4;
constexpr auto agree_limit = 5s;

/// Both sides' state once they agree and are at rest, or as it is at the limit: engines go on
/// after an answer, each at its own pace.
std::pair<Observation, Observation> observe(Side& engine, Side& model) {
    for (auto left = std::chrono::milliseconds(agree_limit);; left -= 20ms) {
        Observation first = engine.observe();
        Observation second = model.observe();
        const bool same = first.containers == second.containers;
        if ((same && first.settled && second.settled) || left <= 0ms) return {first, second};
        std::this_thread::sleep_for(20ms);
    }
}

/// Whether the live engine may answer, or come out, so too, because that depends on real time. The
/// sequence ends there.
bool is_accepted(const Sequence& sequence, const std::string& call, const std::string& shown) {
    static const auto accepted = [] {
        std::ifstream file("tests/real/accepted_differences.json");
        return nlohmann::json::parse(file).at("sequences");
    }();
    const nlohmann::json none = nlohmann::json::object();
    const nlohmann::json entry = accepted.value(sequence.name, none).value(call, none);
    return entry.value("live", "") == shown;
}

std::string told(const Sequence& sequence, std::size_t call, const std::string& what,
                 const std::string& engine, const std::string& model) {
    return text_of(sequence) + "differs in call " + std::to_string(call + 1) + ", `" +
           sequence.calls[call] + "`, in its " + what + "\n  engine:\n" + engine + "  model:\n" +
           model;
}

std::string run_once(Side& engine, Side& model, const Sequence& sequence) {
    engine.clean();
    model.clean();
    for (std::size_t i = 0; i < sequence.calls.size(); ++i) {
        const std::string wanted = engine.perform(sequence.calls[i]);
        const std::string got = model.perform(sequence.calls[i]);
        if (wanted != got) {
            if (is_accepted(sequence, sequence.calls[i], wanted)) break;
            return told(sequence, i, "answer", "    " + wanted + "\n", "    " + got + "\n");
        }
        const auto [engine_state, model_state] = observe(engine, model);
        if (engine_state.containers != model_state.containers) {
            if (is_accepted(sequence, sequence.calls[i], engine_state.text())) break;
            return told(sequence, i, "outcome", engine_state.text(), model_state.text());
        }
    }
    engine.clean();
    model.clean();
    return "";
}

// A model that is wrong is so each time; what depends on how busy the machine is, is not.
std::string run(Side& engine, Side& model, const Sequence& sequence) {
    constexpr int tries = 3;
    std::string differs;
    for (int i = 0; i < tries; ++i) {
        differs = run_once(engine, model, sequence);
        if (differs.empty()) break;
    }
    return differs;
}

}  // namespace

std::string difference(const Sockets& sockets, const Sequence& sequence,
                       const std::string& prefix) {
    try {
        Side engine(sockets.engine, prefix);
        Side model(sockets.model, prefix);
        return run(engine, model, sequence);
    } catch (const std::exception& error) {
        return text_of(sequence) + "cannot be run: " + error.what() + "\n";
    }
}

std::vector<std::string> differences(const Sockets& sockets,
                                     const std::vector<Sequence>& sequences) {
    std::vector<std::string> results(sequences.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](const std::string& prefix) {
        for (std::size_t i = next++; i < sequences.size(); i = next++) {
            results[i] = difference(sockets, sequences[i], prefix);
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) {
        threads.emplace_back(work, "worker" + std::to_string(i) + "-");
    }
    threads.clear();
    return results;
}

}  // namespace drydock::real
