#include "sequence.hpp"

#include <fstream>
#include <stdexcept>

namespace drydock::real {

std::vector<Sequence> read_sequences(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::vector<Sequence> sequences;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("== ")) {
            sequences.push_back({line.substr(3), {}});
        } else if (sequences.empty()) {
            throw std::runtime_error(path + ":" + std::to_string(number) +
                                     ": a call before the first `== NAME`");
        } else {
            sequences.back().calls.push_back(line);
        }
    }
    return sequences;
}

std::string text_of(const Sequence& sequence) {
    std::string text = "== " + sequence.name + "\n";
    for (const std::string& call : sequence.calls) {
        text += call + "\n";
    }
    return text;
}

std::string take_word(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string word(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

}  // namespace drydock::real
