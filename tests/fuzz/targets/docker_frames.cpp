#include "docker/frames.hpp"
#include "fuzz/targets.hpp"

#include <string>

namespace drydock::fuzz {
namespace {

/// What a reader makes of the bytes, whatever pieces it hands them on in.
struct Heard {
    std::string out;
    std::string err;
    std::string order;  ///< which stream each byte belongs to
    bool has_failed = false;
    bool is_complete = false;

    bool operator==(const Heard&) const = default;
};

Heard hear(std::string_view input, std::size_t piece) {
    docker::FrameReader frames;
    Heard heard;
    while (!input.empty()) {
        frames.add(input.substr(0, piece));
        input.remove_prefix(std::min(piece, input.size()));
        while (const auto output = frames.next()) {
            check(!output->bytes.empty(), "no bytes would be the end");
            const bool is_err = output->source == ExecOutput::Source::err;
            (is_err ? heard.err : heard.out) += output->bytes;
            heard.order.append(output->bytes.size(), is_err ? 'e' : 'o');
        }
    }
    heard.has_failed = frames.failed();
    heard.is_complete = frames.is_complete();
    return heard;
}

}  // namespace

void read_docker_frames(std::string_view input) {
    const Heard whole = hear(input, std::string_view::npos);
    check(whole.order.size() <= input.size(), "frames only take bytes away");
    for (const std::size_t piece : {1U, 7U, 64U}) {
        check(hear(input, piece) == whole, "frames do not depend on how they come cut");
    }
}

}  // namespace drydock::fuzz
