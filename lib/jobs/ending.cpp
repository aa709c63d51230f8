#include "jobs/ending.hpp"

#include "jobs/records.hpp"

namespace drydock::jobs {
namespace {

using Kind = Ending::Kind;

std::optional<int> exit_code_in(std::string_view word) {
    const std::optional<std::uint64_t> code = number_in(word);
    if (!code || *code > 255) return std::nullopt;
    return static_cast<int>(*code);
}

/// Reads "OUT ERR" from the words from `first` on, which must be the last.
bool read_sizes(Ending& ending, const std::vector<std::string_view>& words, std::size_t first) {
    if (words.size() != first + 2) return false;
    const std::optional<std::uint64_t> out = number_in(words[first]);
    const std::optional<std::uint64_t> err = number_in(words[first + 1]);
    ending.out = out.value_or(0);
    ending.err = err.value_or(0);
    return out && err;
}

std::string behind(std::string_view text, std::string_view word) {
    text.remove_prefix(text.find(word) + word.size());
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin));
}

}  // namespace

std::optional<Ending> read_ending(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.empty()) return std::nullopt;
    Ending ending;
    bool is_whole = false;
    if (words[0] == "code" && words.size() > 1) {
        const std::optional<int> code = exit_code_in(words[1]);
        ending.kind = code ? Kind::code : Kind::unknown;
        ending.code = code.value_or(0);
        is_whole = read_sizes(ending, words, 2);
    } else if (words[0] == "unknown") {
        is_whole = read_sizes(ending, words, 1);
    } else if (words[0] == "fenced" || words[0] == "absent") {
        ending.kind = words[0] == "fenced" ? Kind::fenced : Kind::absent;
        is_whole = words.size() == 1;
    } else if (words[0] == "left" || words[0] == "broken") {
        ending.kind = words[0] == "left" ? Kind::left : Kind::broken;
        ending.text = behind(text, words[0]);
        is_whole = true;
    }
    if (!is_whole) return std::nullopt;
    return ending;
}

Folder read_folder(const std::vector<FileEntry>& entries) {
    Folder folder;
    bool is_void = false;
    for (const FileEntry& entry : entries) {
        const bool is_link = entry.kind == FileEntry::Kind::link;
        const bool is_file = entry.kind == FileEntry::Kind::file;
        if (is_link && entry.path == "exit") {
            folder.code = exit_code_in(entry.content);
        } else if (is_link && entry.path.starts_with("claim.")) {
            is_void = is_void || entry.content == "void";
        } else if (is_file && entry.path == "begun") {
            folder.has_begun = true;
        } else if (is_file && entry.path == "out") {
            folder.out = entry.content;
        } else if (is_file && entry.path == "err") {
            folder.err = entry.content;
        }
    }
    folder.is_fenced = is_void && !folder.has_begun;
    return folder;
}

}  // namespace drydock::jobs
