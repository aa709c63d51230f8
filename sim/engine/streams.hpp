#pragma once

#include "engine/task.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// The number is that of the file descriptor, and of a multiplexed frame.
enum class Source : std::uint8_t { out = 1, err = 2 };

/// Who hears what a program writes. Told of the end once; nothing follows it.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void written(Source source, std::string_view bytes) = 0;
    virtual void ended() = 0;
};

/// An outlet that hands on to one listener while there is one. A terminal has no second source, and
/// its lines end in CR LF.
class ListenerOutlet final : public Outlet {
public:
    ListenerOutlet(std::weak_ptr<Listener> listener, Source source, bool is_terminal)
        : listener_(std::move(listener)), source_(source), is_terminal_(is_terminal) {}

    void write(std::string_view bytes) override;

private:
    std::weak_ptr<Listener> listener_;
    Source source_;
    bool is_terminal_;
};

/// What the sandbox's own program reads and writes, over all its runs: the log, who is attached,
/// and who follows the log.
class Streams final : public Listener {
public:
    /// One entry of the log: a line, or a part of one that is too long, or that nothing ended.
    struct Line {
        Time at{};
        Source source{};
        std::string text;
    };

    explicit Streams(const World& world) : world_(world) {}

    const std::vector<Line>& log() const noexcept { return log_; }
    /// From now to the end of the run.
    void attach(std::shared_ptr<Listener> listener) { attached_.push_back(std::move(listener)); }
    /// Is told each line of the log, whole, when it is written.
    void follow(std::shared_ptr<Listener> listener) { followers_.push_back(std::move(listener)); }
    /// It hears nothing more, not even the end.
    void forget(const Listener& listener);

    void written(Source source, std::string_view bytes) override;
    /// Of a run: what is left of a line is one too.
    void ended() override;

    std::string early_input;  ///< what came before there was a run
    bool is_input_over = false;

private:
    void log_line(Source source, std::string text);
    std::string& unfinished(Source source) {
        return unfinished_[static_cast<std::size_t>(source) - 1];
    }

    const World& world_;
    std::vector<Line> log_;
    std::array<std::string, 2> unfinished_;
    std::vector<std::shared_ptr<Listener>> attached_;
    std::vector<std::shared_ptr<Listener>> followers_;
};

}  // namespace drydock::sim
