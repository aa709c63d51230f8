#include "drawn.hpp"

#include <rapidcheck.h>

namespace drydock::real {

namespace {

using Calls = std::vector<std::string>;

std::string call_on(const std::string& name, const std::string& other) {
    const rc::Gen<std::string> verbs = rc::gen::weightedElement<std::string>(
        {{8, "create NAME"},
         {2, "create NAME {\"HostConfig\":{\"AutoRemove\":true}}"},
         {1, "create NAME {\"HostConfig\":{\"RestartPolicy\":{\"Name\":\"always\"}}}"},
         {1, "create NAME {\"HostConfig\":{\"RestartPolicy\":{\"Name\":\"sometimes\"}}}"},
         {1, "create NAME {\"Image\":\"none\"}"},
         {1, "create NAME nothing"},
         {10, "start NAME"},
         {4, "stop NAME t=0"},
         {1, "stop NAME t=soon"},
         {3, "kill NAME"},
         {1, "kill NAME signal=USR1"},
         {1, "kill NAME signal=NOPE"},
         {4, "pause NAME"},
         {3, "unpause NAME"},
         {2, "restart NAME t=0"},
         {2, "rename NAME OTHER"},
         {1, "rename NAME NAME"},
         {1, "rename NAME =!"},
         {3, "remove NAME"},
         {2, "remove NAME force=1"},
         {1, "wait NAME"},
         {1, "wait NAME condition=removed"},
         {1, "inspect NAME"},
         {1, "start id:NAME"},
         {1, "remove pre:NAME"},
         {1, "list"},
         {1, "list all=1 {\"status\":[\"exited\",\"paused\"]}"},
         {1, "list all=1 {\"name\":[\"<NAME>\"]}"}});
    std::string call = *verbs;
    for (const auto& [word, value] : {std::pair("NAME", name), std::pair("OTHER", other)}) {
        for (std::size_t at = 0; (at = call.find(word, at)) != std::string::npos;) {
            call.replace(at, std::string_view(word).size(), value);
        }
    }
    return call;
}

rc::Gen<Calls> any_calls() {
    return rc::gen::exec([] {
        Calls calls(static_cast<std::size_t>(*rc::gen::inRange(3, 13)));
        for (std::string& call : calls) {
            // Mostly one name, so that its states get deep.
            const bool first = *rc::gen::inRange(0, 4) > 0;
            call = call_on(first ? "a1" : "b1", first ? "b1" : "a1");
        }
        return calls;
    });
}

}  // namespace

std::vector<Sequence> drawn_sequences(std::uint64_t seed, std::size_t count) {
    const rc::Gen<Calls> generator = any_calls();
    rc::Random random(seed);
    std::vector<Sequence> sequences;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = "drawn " + std::to_string(i) + " of seed " + std::to_string(seed);
        sequences.push_back({name, generator(random.split(), rc::kNominalSize).value()});
    }
    return sequences;
}

std::string shrunk_difference(const Sockets& sockets, const Sequence& sequence,
                              const std::string& found) {
    Calls smallest = sequence.calls;
    std::string shown = found;
    for (bool smaller = true; smaller;) {
        smaller = false;
        rc::Seq<Calls> candidates = rc::shrink::removeChunks(smallest);
        while (const rc::Maybe<Calls> calls = candidates.next()) {
            const Sequence shorter{sequence.name + ", shrunk", *calls};
            const std::string differs = difference(sockets, shorter, "shrink-");
            if (differs.empty()) continue;
            smallest = *calls;
            shown = differs;
            smaller = true;
            break;
        }
    }
    return shown;
}

}  // namespace drydock::real
