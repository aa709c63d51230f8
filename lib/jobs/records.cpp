#include "jobs/records.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace drydock::jobs {

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos) return words;
        line.remove_prefix(begin);
        const std::size_t size = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, size));
        line.remove_prefix(size);
    }
}

std::optional<std::uint64_t> number_in(std::string_view word) {
    std::uint64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::string_view RecordReader::rest() const noexcept {
    return std::string_view(buffer_).substr(0, 200);
}

std::optional<Record> RecordReader::fail() noexcept {
    failed_ = true;
    return std::nullopt;
}

std::optional<Record> RecordReader::next() {
    if (failed_) return std::nullopt;
    const std::string_view text = buffer_;
    const std::size_t end = text.substr(0, longest_line).find('\n');
    if (end == std::string_view::npos) {
        return text.size() < longest_line ? std::nullopt : fail();
    }
    const std::string_view line = text.substr(0, end);
    const std::vector<std::string_view> words = words_of(line);
    const std::string_view word = words.empty() ? std::string_view() : words[0];
    if (word == "out" || word == "err") return bytes_record(words, end + 1);
    if (line == "live") return line_record(Record::Kind::live, {}, end + 1);
    if (line == "written") return line_record(Record::Kind::written, {}, end + 1);
    if (line == "closed") return line_record(Record::Kind::closed, {}, end + 1);
    if (word == "end") return line_record(Record::Kind::end, line.substr(3), end + 1);
    return fail();
}

std::optional<Record> RecordReader::line_record(Record::Kind kind, std::string_view text,
                                                std::size_t size) {
    Record record;
    record.kind = kind;
    record.bytes = text;
    buffer_.erase(0, size);
    return record;
}

std::optional<Record> RecordReader::bytes_record(const std::vector<std::string_view>& words,
                                                 std::size_t header) {
    if (words.size() != 3) return fail();
    const std::optional<std::uint64_t> offset = number_in(words[1]);
    const std::optional<std::uint64_t> size = number_in(words[2]);
    if (!offset || !size || *size > most_bytes) return fail();
    if (buffer_.size() - header < *size) return std::nullopt;
    Record record;
    record.kind = Record::Kind::bytes;
    record.source = words[0] == "out" ? Record::Source::out : Record::Source::err;
    record.offset = *offset;
    record.bytes = buffer_.substr(header, *size);
    buffer_.erase(0, header + *size);
    return record;
}

}  // namespace drydock::jobs
