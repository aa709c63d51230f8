#include "docker/exchange.hpp"
#include "docker/number.hpp"
#include "docker/streaming.hpp"

#include <fmt/format.h>

#include <charconv>

namespace drydock::sim {
namespace {

using Line = Streams::Line;

/// Unix seconds with an optional fraction.
struct Instant {
    WallTime time{};
    std::string error{};
};

Instant instant(std::string_view text) {
    Instant read;
    const std::size_t point = std::min(text.find('.'), text.size());
    std::int64_t seconds = 0;
    std::int64_t fraction = 0;
    Duration unit = std::chrono::seconds(1);
    const auto parse = [&](std::string_view digits, std::int64_t& number) {
        const char* const last = digits.data() + digits.size();
        const auto [end, failed] = std::from_chars(digits.data(), last, number);
        if (failed != std::errc{} || end != last) {
            read.error = fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", digits);
        }
    };
    parse(text.substr(0, point), seconds);
    if (point < text.size()) {
        const std::string_view digits = text.substr(point + 1, 9);
        parse(digits, fraction);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            unit /= 10;
        }
    }
    read.time = WallTime(std::chrono::seconds(seconds) + fraction * unit);
    return read;
}

/// What of the log a client wants to see, and how.
class LogView final : public Listener {
public:
    LogView(const docker::Call& call, const SandboxEngine& engine, const SandboxConfig& config)
        : engine_(engine),
          shows_out_(config.tty || call.flag("stdout")),
          shows_err_(call.flag("stderr")),
          is_framed_(!config.tty),
          with_times_(call.flag("timestamps")),
          with_details_(call.flag("details")) {
        const docker::Number tail = docker::whole_number(call.parameter("tail"));
        if (tail.error.empty() && tail.value >= 0) {
            tail_ = static_cast<std::size_t>(tail.value);
        }
        read_bound(call.parameter("since"), since_);
        read_bound(call.parameter("until"), until_);
    }

    const std::string& error() const noexcept { return error_; }
    void open(std::shared_ptr<ReplyStream> stream) { stream_ = std::move(stream); }

    void show(const std::vector<Line>& log) {
        const std::size_t skipped = tail_ && *tail_ < log.size() ? log.size() - *tail_ : 0;
        for (std::size_t i = skipped; i < log.size(); ++i) {
            show(log[i].source, log[i].text, engine_.wall_at(log[i].at));
        }
    }
    void written(Source source, std::string_view line) override {
        show(source, line, engine_.wall_at(engine_.world().now()));
    }
    void ended() override {
        if (const auto stream = std::exchange(stream_, nullptr)) {
            stream->end();
        }
    }

private:
    void read_bound(std::string_view text, std::optional<WallTime>& bound) {
        if (text.empty() || text == "0") {
            return;
        }
        Instant read = instant(text);
        error_ = error_.empty() ? std::move(read.error) : error_;
        bound = read.time;
    }
    void show(Source source, std::string_view line, WallTime at) {
        const bool is_wanted = source == Source::out ? shows_out_ : shows_err_;
        if (!is_wanted || (since_ && at < *since_) || (until_ && *until_ < at) || !stream_) {
            return;
        }
        std::string text;
        if (with_times_) {
            docker::append_log_time(text, at);
        }
        text.append(with_details_ ? " " : "").append(line);
        stream_->send(is_framed_ ? docker::frame(source, text) : text);
    }

    const SandboxEngine& engine_;
    std::shared_ptr<ReplyStream> stream_;
    std::string error_;
    std::optional<WallTime> since_;
    std::optional<WallTime> until_;
    std::optional<std::size_t> tail_;
    bool shows_out_;
    bool shows_err_;
    bool is_framed_;
    bool with_times_;
    bool with_details_;
};

}  // namespace

// Read until the run ends, or to what there is.
void DockerModel::logs(const docker::Call& call, const Exchange& exchange) {
    const auto refuse = [&](int status, std::string_view message) {
        exchange.reply(docker::error_answer(status, message));
    };
    if (!call.flag("stdout") && !call.flag("stderr")) {
        return refuse(400, "Bad parameters: you must choose at least one stream");
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    const Sandbox& sandbox = *found.sandbox;
    if (sandbox.status == Status::dead || sandbox.status == Status::removing) {
        return refuse(409, "can not get logs from container which is dead or marked for removal");
    }
    if (sandbox.config.keeps_no_log) {
        return refuse(501, "configured logging driver does not support reading");
    }
    const auto view = std::make_shared<LogView>(call, engine_, sandbox.config);
    if (!view->error().empty()) {
        return refuse(500, view->error());
    }
    Streams& streams = engine_.streams(sandbox);
    const auto left = [weak = std::weak_ptr(view), held = std::weak_ptr(sandbox.streams)] {
        const auto gone = weak.lock();
        const auto there = held.lock();
        if (gone && there) {
            there->forget(*gone);
        }
    };
    view->open(exchange.stream(docker::answer(200), {.left = left}));
    view->show(streams.log());
    if (call.flag("follow") && is_up(sandbox)) {
        streams.follow(view);
    } else {
        view->ended();
    }
}

}  // namespace drydock::sim
