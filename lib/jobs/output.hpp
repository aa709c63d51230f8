#pragma once

#include "jobs/records.hpp"

#include <drydock/job.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace drydock::jobs {

/// Hands each byte of a job's output to the sink once, whatever the streams that bring it do.
///
/// A record's bytes are held while something has come behind them, until that is a record too: a
/// stream that lost or repeated bytes within a record goes on out of step.
class Output {
public:
    Output(OutputSink sink, OutputFrom from) : sink_(std::move(sink)), at_(from) {}

    bool has_sink() const noexcept { return static_cast<bool>(sink_); }
    /// Up to where the sink has it.
    const OutputFrom& at() const noexcept { return at_; }

    /// A record of bytes. False: some before it are missing, or it says otherwise what is held, and
    /// nothing of this stream counts.
    bool take(Record record);
    /// What is held is right.
    void confirm();
    /// The stream was not whole: what is held comes again.
    void drop() noexcept { held_.reset(); }

    /// The whole of one output, from its first byte.
    void take_whole(JobOutput::Source source, std::string_view bytes);

    /// True if the sink, with what is held, has this much of both. It has more of what a job
    /// truncated itself.
    bool is_complete(std::uint64_t out, std::uint64_t err) const noexcept;
    /// How it ended for the sink.
    OutputEnd end(JobOutput::Source source, std::uint64_t size) const noexcept;

private:
    std::uint64_t& at(JobOutput::Source source) noexcept;
    std::uint64_t expected(JobOutput::Source source) const noexcept;
    bool contradicts_held(const Record& record) const noexcept;
    void pass(JobOutput::Source source, std::string_view bytes);

    OutputSink sink_;
    OutputFrom at_;
    std::optional<Record> held_;
};

/// Runs what calls the sink: Error{internal} if that throws.
std::optional<Error> guarded(const std::function<void()>& work);

}  // namespace drydock::jobs
