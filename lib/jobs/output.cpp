#include "jobs/output.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace drydock::jobs {

using Source = JobOutput::Source;

std::uint64_t& Output::at(Source source) noexcept {
    return source == Source::out ? at_.out : at_.err;
}

// With what is held.
std::uint64_t Output::expected(Source source) const noexcept {
    const std::uint64_t had = source == Source::out ? at_.out : at_.err;
    const bool is_held = held_ && held_->source == source;
    return is_held ? had + held_->bytes.size() : had;
}

// Repeated bytes may fill one record up and begin the next one in its place, again.
bool Output::contradicts_held(const Record& record) const noexcept {
    if (!held_ || held_->source != record.source) return false;
    const std::uint64_t place = record.source == Source::out ? at_.out : at_.err;
    const std::uint64_t begin = std::max(place, record.offset);
    const std::uint64_t end =
        std::min(place + held_->bytes.size(), record.offset + record.bytes.size());
    if (begin >= end) return false;
    const std::string_view held = held_->bytes;
    const std::string_view said = record.bytes;
    return held.substr(begin - place, end - begin) !=
           said.substr(begin - record.offset, end - begin);
}

bool Output::take(Record record) {
    const std::uint64_t from = expected(record.source);
    if (record.offset > from || contradicts_held(record)) return false;
    confirm();
    const std::uint64_t known = from - record.offset;
    if (known >= record.bytes.size()) return true;
    record.bytes.erase(0, known);
    held_ = std::move(record);
    return true;
}

void Output::confirm() {
    if (!held_) return;
    const Record record = *std::exchange(held_, std::nullopt);
    pass(record.source, record.bytes);
}

void Output::pass(Source source, std::string_view bytes) {
    const JobOutput output{source, at(source), bytes};
    at(source) += bytes.size();
    if (sink_ && !bytes.empty()) sink_(output);
}

void Output::take_whole(Source source, std::string_view bytes) {
    drop();
    const std::uint64_t known = at(source);
    if (known < bytes.size()) pass(source, bytes.substr(known));
}

bool Output::is_complete(std::uint64_t out, std::uint64_t err) const noexcept {
    return !sink_ || (expected(Source::out) >= out && expected(Source::err) >= err);
}

OutputEnd Output::end(Source source, std::uint64_t size) const noexcept {
    const std::uint64_t had = source == Source::out ? at_.out : at_.err;
    return {size, sink_ && had != size};
}

std::optional<Error> guarded(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const std::exception& thrown) {
        return Error({.kind = ErrorKind::internal,
                      .message = std::string("the sink threw: ") + thrown.what()});
    } catch (...) {
        return Error({.kind = ErrorKind::internal, .message = "the sink threw"});
    }
}

}  // namespace drydock::jobs
