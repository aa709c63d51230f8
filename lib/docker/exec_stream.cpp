#include "docker/exec_stream.hpp"

#include "docker/classify.hpp"
#include "docker/frames.hpp"

#include <utility>

namespace drydock::docker {
namespace {

class FramedStream final : public ExecStream {
public:
    FramedStream(std::unique_ptr<ByteStream> bytes, int status)
        : bytes_(std::move(bytes)), status_(status) {}

    awaitable<Result<ExecOutput>> read(CallContext context) override {
        for (;;) {
            std::optional<ExecOutput> output = frames_.next();
            if (output) co_return std::move(*output);
            if (frames_.failed()) {
                co_return broken(context, ErrorKind::protocol, "bytes that are no frame's header");
            }
            Received received =
                co_await bytes_->read(context.tag, context.limit, context.interrupt);
            if (!received) {
                TransportFailure failure = received.error();
                failure.status = status_;
                co_return failed(context.tag.operation, failure);
            }
            if (!received->empty()) {
                frames_.add(*received);
            } else if (frames_.is_complete()) {
                co_return ExecOutput();
            } else {
                co_return broken(context, ErrorKind::reset, "the stream ended within a frame");
            }
        }
    }

    bool is_drained() const noexcept override { return frames_.is_complete(); }

private:
    Error broken(const CallContext& context, ErrorKind kind, const char* message) const {
        return Error({.kind = kind,
                      .landed = Landed::yes,
                      .operation = context.tag.operation,
                      .status = status_,
                      .message = message});
    }

    std::unique_ptr<ByteStream> bytes_;
    FrameReader frames_;
    int status_;
};

}  // namespace

std::unique_ptr<ExecStream> make_exec_stream(std::unique_ptr<ByteStream> bytes, int status) {
    return std::make_unique<FramedStream>(std::move(bytes), status);
}

}  // namespace drydock::docker
