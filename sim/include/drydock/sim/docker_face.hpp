#pragma once

#include <drydock/sim/engine.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

namespace docker {
struct Call;
struct Filters;
struct Moment;

/// A named volume; what lies in it is not kept here.
struct Volume {
    Time made{};
    std::vector<std::pair<std::string, std::string>> labels{};
    std::string labels_text = "null";  ///< as JSON, like the options
    std::string options_text = "null";
};

/// A network that a client made.
struct Network {
    Time made{};
    std::string driver = "bridge";
    std::string labels_text = "{}";  ///< as JSON
};

struct Refusal;
}  // namespace docker
struct Exec;

/// A sandbox engine that speaks the Docker Engine API 1.41 as recorded from 20.10.24: containers,
/// what runs in them, and what clients ask of the engine itself.
class DockerModel final : public BackendModel {
public:
    explicit DockerModel(World& world, Personality personality = docker_personality());

    /// From now on only known images can be created from ("bb" is "bb:latest"). Any can before.
    void add_image(std::string_view reference);

    void handle(const Request& request, Intervention intervention,
                std::shared_ptr<Responder> responder) override;
    void stop_faults() override { engine_.stop_faults(); }
    void on_guard_step(StepHook hook) override { engine_.on_guard_step(std::move(hook)); }
    std::span<const SandboxTruth> sandboxes() const override { return engine_.truths(); }
    std::span<const ProcessTruth> processes() const override { return engine_.processes(); }
    std::uint32_t addressed_by(const Request& request) const override;
    const SandboxTruth* find(std::string_view id_or_name) const override {
        return engine_.truth(id_or_name);
    }

    SandboxEngine& engine() noexcept { return engine_; }

private:
    struct Exchange;

    void begin_trait(const docker::Call& call, const Exchange& exchange);
    void dispatch(const docker::Call& call, const Exchange& exchange);
    void create(const docker::Call& call, const Exchange& exchange);
    void start(const docker::Call& call, const Exchange& exchange);
    void inspect(const docker::Call& call, const Exchange& exchange);
    void list(const docker::Call& call, const Exchange& exchange);
    void remove(const docker::Call& call, const Exchange& exchange);
    void stop(const docker::Call& call, const Exchange& exchange);
    void kill(const docker::Call& call, const Exchange& exchange);
    void restart(const docker::Call& call, const Exchange& exchange);
    void rename(const docker::Call& call, const Exchange& exchange);
    void wait(const docker::Call& call, const Exchange& exchange);
    void exec_create(const docker::Call& call, const Exchange& exchange);
    void exec_start(const docker::Call& call, const Exchange& exchange);
    void start_detached(const std::shared_ptr<Exec>& exec, const Exchange& exchange);
    void start_attached(const std::shared_ptr<Exec>& exec, bool is_raw, const Request& request,
                        const Exchange& exchange);
    void exec_inspect(const docker::Call& call, const Exchange& exchange);
    void exec_resize(const docker::Call& call, const Exchange& exchange);
    void logs(const docker::Call& call, const Exchange& exchange);
    void attach(const docker::Call& call, const Exchange& exchange);
    void archive(const docker::Call& call, const Exchange& exchange);
    Response put_archive(const docker::Call& call, const Exchange& exchange, Files& files);
    void events(const docker::Call& call, const Exchange& exchange);
    void follow_events(const Exchange& exchange, docker::Filters filters,
                       const docker::Moment& since, const docker::Moment& until);
    void top(const docker::Call& call, const Exchange& exchange);
    void stats(const docker::Call& call, const Exchange& exchange);
    void resize(const docker::Call& call, const Exchange& exchange);
    void update(const docker::Call& call, const Exchange& exchange);
    void changes(const docker::Call& call, const Exchange& exchange);
    // images
    void image(const docker::Call& call, const Exchange& exchange);
    void list_images(const docker::Call& call, const Exchange& exchange);
    void name_image(const std::string& reference, std::string_view action, const std::string& id);
    void tag_image(const docker::Call& call, const Exchange& exchange);
    void remove_image(const docker::Call& call, const Exchange& exchange);
    void commit(const docker::Call& call, const Exchange& exchange);
    void disk_usage(const Exchange& exchange);
    // volumes and networks
    void add_volume(const std::string& name, const docker::Volume& volume);
    void add_volumes_of(const Sandbox& sandbox);
    void volume(const docker::Call& call, const Exchange& exchange);
    void list_volumes(const docker::Call& call, const Exchange& exchange);
    void create_volume(const docker::Call& call, const Exchange& exchange);
    void remove_volume(const docker::Call& call, const Exchange& exchange);
    void prune_volumes(const Exchange& exchange);
    void network(const docker::Call& call, const Exchange& exchange);
    void list_networks(const docker::Call& call, const Exchange& exchange);
    void remove_network(const docker::Call& call, const Exchange& exchange);
    void create_network(const docker::Call& call, const Exchange& exchange);

    static void settle(const Outcome& outcome, const docker::Call& call, const Exchange& exchange);
    bool knows_image(std::string_view reference) const;
    std::optional<docker::Refusal> why_no_image(std::string_view image,
                                                std::string_view platform) const;

    SandboxEngine engine_;
    std::vector<std::string> images_;        ///< with tags; empty: any
    std::vector<std::string> named_images_;  ///< those of them that clients named
    std::map<std::string, docker::Volume, std::less<>> volumes_;
    std::uint32_t anonymous_volumes_ = 0;
    std::map<std::string, docker::Network, std::less<>> networks_;
};

}  // namespace drydock::sim
