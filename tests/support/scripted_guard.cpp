#include "support/scripted_guard.hpp"

#include <algorithm>

namespace drydock::test {

namespace {

constexpr Duration latency = std::chrono::milliseconds(1);

template <class T>
std::optional<T> take(std::deque<T>& queue) {
    if (queue.empty()) return std::nullopt;
    T front = std::move(queue.front());
    queue.pop_front();
    return front;
}

Error given_up(Operation operation) {
    return Error({.kind = ErrorKind::cancelled,
                  .landed = Landed::unknown,
                  .operation = operation,
                  .message = "given up"});
}

class ScriptedStream final : public ExecStream {
public:
    ScriptedStream(GuardScript& script, Runtime& runtime, Stream stream)
        : script_(script), runtime_(runtime), stream_(std::move(stream)) {}

    awaitable<Result<ExecOutput>> read(CallContext context) override {
        script_.read_limits.push_back(context.limit);
        const bool is_stalled = next_ >= stream_.pieces.size() && stream_.stderr_text.empty() &&
                                stream_.end == Stream::End::stall;
        const Duration wait = is_stalled ? context.limit : latency;
        const Wake wake = co_await runtime_.sleep(context.tag, wait, context.interrupt);
        if (wake != Wake::done) co_return given_up(context.tag.operation);
        if (is_stalled) {
            co_return answered(context.tag.operation, ErrorKind::timeout, 101, Landed::yes);
        }
        ExecOutput output;
        if (!stream_.stderr_text.empty()) {
            output.source = ExecOutput::Source::err;
            output.bytes = std::exchange(stream_.stderr_text, {});
        } else if (next_ < stream_.pieces.size()) {
            output.bytes = stream_.pieces[next_++];
        } else if (stream_.end == Stream::End::reset) {
            co_return answered(context.tag.operation, ErrorKind::reset, 101, Landed::yes);
        }
        co_return output;
    }

    // A piece stands for what came at once.
    bool is_drained() const noexcept override { return true; }

private:
    GuardScript& script_;
    Runtime& runtime_;
    Stream stream_;
    std::size_t next_ = 0;
};

}  // namespace

std::size_t GuardScript::count(const std::string& verb) const {
    std::size_t found = 0;
    for (const std::string& id : started) {
        found += exec(id).argv.at(2) == verb ? 1U : 0U;
    }
    for (const auto& argv : opened) {
        found += argv.at(2) == verb ? 1U : 0U;
    }
    return found;
}

const ExecSpec& GuardScript::exec(const std::string& id) const {
    return execs.at(static_cast<std::size_t>(std::stoul(id.substr(1))) - 1);
}

// What is asked arrives and is noted; then the answer travels back.
awaitable<Refusal> ScriptedGuard::travel(CallContext context, std::deque<Refusal>* answers) {
    const Wake wake = co_await runtime_.sleep(context.tag, latency, context.interrupt);
    if (wake != Wake::done) co_return given_up(context.tag.operation);
    if (answers == nullptr || answers->empty()) co_return std::nullopt;
    Refusal refusal = std::move(answers->front());
    answers->pop_front();
    co_return refusal;
}

awaitable<Result<SandboxInfo>> ScriptedGuard::inspect(CallContext context,
                                                      std::string_view id_or_name) {
    if (script_.inspects.empty()) {
        Result<SandboxInfo> real = co_await real_.inspect(context, id_or_name);
        co_return real;
    }
    const Refusal refusal = co_await travel(context, nullptr);
    if (refusal) co_return *refusal;
    co_return *take(script_.inspects);
}

awaitable<Result<std::string>> ScriptedGuard::exec_create(CallContext context, std::string_view,
                                                          const ExecSpec& spec) {
    const Refusal refusal = co_await travel(context, &script_.creates);
    if (refusal) co_return *refusal;
    script_.execs.push_back(spec);
    co_return "e" + std::to_string(script_.execs.size());
}

awaitable<Result<void>> ScriptedGuard::exec_start(CallContext context, std::string_view exec) {
    script_.started.emplace_back(exec);
    if (script_.on_start) script_.on_start();
    const Refusal refusal = co_await travel(context, &script_.starts);
    if (refusal) co_return *refusal;
    co_return Result<void>();
}

awaitable<Result<std::unique_ptr<ExecStream>>> ScriptedGuard::exec_open(CallContext context,
                                                                        std::string_view exec) {
    const std::vector<std::string> argv = script_.exec(std::string(exec)).argv;
    script_.opened.push_back(argv);
    const Refusal refusal = co_await travel(context, &script_.opens);
    if (refusal) co_return *refusal;
    const std::optional<Stream> stream = take(script_.streams[argv.at(2)]);
    co_return std::make_unique<ScriptedStream>(script_, runtime_, stream.value_or(Stream()));
}

awaitable<Result<ExecStatus>> ScriptedGuard::exec_inspect(CallContext context,
                                                          std::string_view exec) {
    script_.inspected.emplace_back(exec);
    const Refusal refusal = co_await travel(context, nullptr);
    if (refusal) co_return *refusal;
    const auto status = take(script_.statuses);
    if (!status) co_return ExecStatus{.is_running = true};
    co_return *status;
}

awaitable<Result<void>> ScriptedGuard::upload(CallContext context, std::string_view,
                                              std::string_view folder,
                                              const std::vector<FileEntry>& entries) {
    std::vector<FileEntry>& uploaded = script_.uploaded.emplace_back(entries);
    for (FileEntry& entry : uploaded) {
        entry.path.insert(0, folder);
    }
    const Refusal refusal = co_await travel(context, &script_.uploads);
    if (refusal) co_return *refusal;
    co_return Result<void>();
}

awaitable<Result<std::vector<FileEntry>>> ScriptedGuard::download(CallContext context,
                                                                  std::string_view,
                                                                  std::string_view folder) {
    script_.read_folders.emplace_back(folder);
    const Refusal refusal = co_await travel(context, nullptr);
    if (refusal) co_return *refusal;
    auto entries = take(script_.downloads);
    if (!entries) co_return answered(context.tag.operation, ErrorKind::not_found, 404);
    co_return std::move(*entries);
}

Error lost(Operation operation) {
    return Error({.kind = ErrorKind::timeout,
                  .landed = Landed::unknown,
                  .operation = operation,
                  .message = "no answer in time"});
}

Error refused_connection(Operation operation) {
    return Error({.kind = ErrorKind::connect, .operation = operation, .message = "no connection"});
}

Error answered(Operation operation, ErrorKind kind, int status, Landed landed) {
    return Error({.kind = kind,
                  .landed = landed,
                  .operation = operation,
                  .status = status,
                  .message = "scripted"});
}

}  // namespace drydock::test
