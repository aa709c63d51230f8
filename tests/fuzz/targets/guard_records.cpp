#include "fuzz/targets.hpp"
#include "jobs/ending.hpp"
#include "jobs/records.hpp"

#include <string>
#include <tuple>
#include <vector>

namespace drydock::fuzz {
namespace {

using jobs::Record;

struct Heard {
    std::vector<std::tuple<Record::Kind, ExecOutput::Source, std::uint64_t, std::string>> records;
    bool has_failed = false;

    bool operator==(const Heard&) const = default;
};

Heard hear(std::string_view input, std::size_t piece) {
    jobs::RecordReader reader;
    Heard heard;
    while (!input.empty()) {
        reader.add(input.substr(0, piece));
        input.remove_prefix(std::min(piece, input.size()));
        while (auto record = reader.next()) {
            if (record->kind == Record::Kind::end) {
                static_cast<void>(jobs::read_ending(record->bytes));
            }
            heard.records.emplace_back(record->kind, record->source, record->offset,
                                       std::move(record->bytes));
        }
    }
    heard.has_failed = reader.failed();
    return heard;
}

}  // namespace

void read_guard_records(std::string_view input) {
    const Heard whole = hear(input, std::string_view::npos);
    for (const std::size_t piece : {1U, 7U, 64U}) {
        check(hear(input, piece) == whole, "records do not depend on how they come cut");
    }
}

}  // namespace drydock::fuzz
