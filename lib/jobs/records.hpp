#pragma once

#include <drydock/backend.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::jobs {

/// One record of the guard (docs/jobs.md).
struct Record {
    enum class Kind : std::uint8_t { bytes, live, end, written, closed };
    using Source = ExecOutput::Source;

    Kind kind = Kind::live;
    Source source = Source::out;  ///< of bytes
    std::uint64_t offset = 0;     ///< of bytes
    std::string bytes;            ///< of bytes; of `end` what stands behind that word
};

/// The words of a line, without the blanks between them.
std::vector<std::string_view> words_of(std::string_view line);

/// A decimal number and nothing else.
std::optional<std::uint64_t> number_in(std::string_view word);

/// Takes the guard's stdout apart, however it comes cut. What is no record fails it for good.
class RecordReader {
public:
    /// More than any guard writes at once: a header that was torn cannot ask for all memory.
    static constexpr std::size_t longest_line = 1024;
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;

    void add(std::string_view bytes) { buffer_.append(bytes); }

    /// The next whole record; nothing until more is added.
    std::optional<Record> next();

    bool failed() const noexcept { return failed_; }
    /// Nothing is left of what was added.
    bool is_drained() const noexcept { return buffer_.empty(); }
    /// The beginning of what has not become a record, to be shown.
    std::string_view rest() const noexcept;

private:
    std::optional<Record> bytes_record(const std::vector<std::string_view>& words,
                                       std::size_t header);
    std::optional<Record> line_record(Record::Kind kind, std::string_view text, std::size_t size);
    std::optional<Record> fail() noexcept;

    std::string buffer_;
    bool failed_ = false;
};

}  // namespace drydock::jobs
