#pragma once

#include "jobs/records.hpp"
#include "jobs/session.hpp"

#include <memory>
#include <string>
#include <utility>

namespace drydock::jobs {

/// The records that a guard prints. It ends with the record that answers: a stream that ends before
/// is Error{reset}, one that holds something else Error{protocol}, with the beginning of it.
class GuardStream {
public:
    explicit GuardStream(std::unique_ptr<ExecStream> stream) : stream_(std::move(stream)) {}

    awaitable<Result<Record>> next(const Session& session, Duration limit);
    /// Nothing has come behind the last record.
    bool is_drained() const noexcept { return records_.is_drained() && stream_->is_drained(); }

private:
    Error broken(ErrorKind kind, std::string message) const;

    std::unique_ptr<ExecStream> stream_;
    RecordReader records_;
    std::string complaint_;  ///< the beginning of its stderr
};

ExecSpec verb_of(std::vector<std::string> argv);

/// Starts the exec and reads it.
awaitable<Result<GuardStream>> open_guard(const Session& session, const std::string& exec,
                                          std::optional<Duration> limit = {});

}  // namespace drydock::jobs
