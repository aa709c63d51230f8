#include "engine/job_program.hpp"

#include "engine/files.hpp"
#include "engine/signals.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/faults/input_error.hpp>
#include <drydock/sim/job_output.hpp>

#include <algorithm>
#include <charconv>

namespace drydock::sim {
namespace {

constexpr int usage = 2;
constexpr std::uint64_t pieces = 4;
constexpr std::uint32_t first_port = 32768;
constexpr std::string_view daemon_name = "drydock-daemon";
constexpr std::string_view pid_file = "/tmp/launcher.pid";

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end;
}

bool read_time(std::string_view text, Duration& time) {
    try {
        time = faults::parse_duration(text);
    } catch (const faults::InputError&) {
        return false;
    }
    return true;
}

bool read_word(std::string_view word, JobProgram& program) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    if (name == "takes") return read_time(value, program.takes);
    if (name == "out") return read_number(value, program.out);
    if (name == "err") return read_number(value, program.err);
    if (name == "exit") return read_number(value, program.exit_code);
    if (name == "reads") return read_number(value, program.reads);
    if (name == "children") return read_number(value, program.children);
    program.ignores_term = program.ignores_term || word == "ignores_term";
    program.is_launcher = program.is_launcher || word == "launcher";
    return word == "ignores_term" || word == "launcher";
}

/// Lives until it is killed.
class Daemon final : public Behaviour {
    void begin(Task&) override {}
};

class Job final : public Behaviour {
    void begin(Task& self) override {
        std::string error;
        program_ = read_job_program(self.spec().argv, error);
        if (!error.empty()) {
            self.write_err("drydock-job: " + error + "\n");
            return self.exit(usage);
        }
        for (std::uint32_t i = 0; i < program_.children; ++i) {
            begin_child(self);
        }
        if (program_.is_launcher) {
            begin_daemon(self);
        }
        wait(self);
    }

    void input(Task& self, std::string_view bytes) override {
        read_ += bytes.size();
        end_if_done(self);
    }
    void input_end(Task& self) override {
        is_input_over_ = true;
        end_if_done(self);
    }
    bool signal(Task&, int number) override {
        return program_.ignores_term && number == term_signal;
    }

    static void begin_child(Task& self);
    static void begin_daemon(Task& self);
    void wait(Task& self);
    void write_piece(Task& self);
    void end_if_done(Task& self);

    JobProgram program_;
    std::uint64_t piece_ = 0;
    std::uint64_t read_ = 0;
    bool is_input_over_ = false;
};

void Job::begin_child(Task& self) {
    TaskSpec child = self.spec();
    child.argv = {"drydock-job"};
    for (const std::string& word : self.spec().argv) {
        if (word.starts_with("takes=")) child.argv.push_back(word);
    }
    child.has_input = false;
    self.spawn(std::move(child));
}

void Job::begin_daemon(Task& self) {
    Tasks& tasks = self.tasks();
    const auto before =
        std::count_if(tasks.all().begin(), tasks.all().end(), [](const auto& other) {
            return !other->spec().argv.empty() && other->spec().argv[0] == daemon_name;
        });
    TaskSpec daemon = self.spec();
    daemon.argv = {std::string(daemon_name),
                   "port=" + std::to_string(first_port + static_cast<std::uint32_t>(before))};
    daemon.has_input = false;
    daemon.leads_session = true;
    const Task& begun = tasks.begin(std::move(daemon), self.pid(), std::make_unique<Daemon>());
    tasks.files().truncate(pid_file, tasks.wall_now());
    tasks.files().append(pid_file, std::to_string(begun.pid()) + "\n", tasks.wall_now());
}

// The last piece comes at the very end of its time, where a reader that stops too early misses it.
void Job::wait(Task& self) {
    if (piece_ == pieces) {
        return end_if_done(self);
    }
    self.after(program_.takes / static_cast<Duration::rep>(pieces), [this, &self] {
        write_piece(self);
        wait(self);
    });
}

void Job::write_piece(Task& self) {
    const auto piece = [this](bool is_err, std::uint64_t size) {
        const std::uint64_t from = size * piece_ / pieces;
        const std::uint64_t to = size * (piece_ + 1) / pieces;
        return job_output(is_err, from, to);
    };
    self.write_out(piece(false, program_.out));
    self.write_err(piece(true, program_.err));
    ++piece_;
}

void Job::end_if_done(Task& self) {
    const bool has_read = read_ >= program_.reads || is_input_over_;
    if (piece_ == pieces && has_read) {
        self.exit(program_.is_launcher ? 0 : program_.exit_code);
    }
}

}  // namespace

JobProgram read_job_program(const std::vector<std::string>& argv, std::string& error) {
    JobProgram program;
    for (std::size_t i = 1; i < argv.size(); ++i) {
        if (!read_word(argv[i], program)) {
            error = "cannot understand " + argv[i];
        }
    }
    return program;
}

std::unique_ptr<Behaviour> job_behaviour() { return std::make_unique<Job>(); }

}  // namespace drydock::sim
