#include "docker/events.hpp"

#include "docker/answers.hpp"
#include "docker/number.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace drydock::sim::docker {
namespace {

std::string_view driver_of(std::string_view network) {
    return network == "none" ? "null" : network == "host" ? "host" : "bridge";
}

void show_network(ShownEvent& shown, const Sandbox& sandbox) {
    const std::string_view network = network_of(sandbox.config);
    shown.id = hex_digest({"network", network});
    shown.attributes = {{"container", sandbox.id},
                        {"name", std::string(network)},
                        {"type", std::string(driver_of(network))}};
}

/// Image, name and labels, which a label of that name does not hide.
void show_sandbox(ShownEvent& shown, const EngineEvent& event, const Sandbox& sandbox) {
    const bool has_name = event.details && !event.details->sandbox_name.empty();
    shown.id = sandbox.id;
    shown.attributes.insert(sandbox.config.labels.begin(), sandbox.config.labels.end());
    shown.attributes["image"] = sandbox.config.image;
    shown.attributes["name"] = has_name ? event.details->sandbox_name : sandbox.born_as;
    if (event.action == "kill") {
        shown.attributes["signal"] = std::to_string(event.value);
    } else if (event.action == "die") {
        shown.attributes["exitCode"] = std::to_string(event.value);
    }
}

using Values = std::vector<std::string>;

/// All pass where the key is not filtered by.
const Values* values_of(const Filters& filters, const std::string& key) {
    const auto at = filters.values.find(key);
    return at == filters.values.end() || at->second.empty() ? nullptr : &at->second;
}

bool is_one_of(const Values* values, std::string_view text) {
    return values == nullptr || std::find(values->begin(), values->end(), text) != values->end();
}

bool begins_as_one_of(const Values* values, std::string_view text) {
    return values == nullptr ||
           std::any_of(values->begin(), values->end(),
                       [text](const std::string& value) { return text.starts_with(value); });
}

std::string_view attribute(const ShownEvent& event, const std::string& key) {
    const auto at = event.attributes.find(key);
    return at == event.attributes.end() ? std::string_view() : std::string_view(at->second);
}

/// Those whose action goes on after its word are asked for by the word.
bool passes_action(const Values* values, const ShownEvent& event) {
    constexpr std::array<std::string_view, 3> with_more = {"health_status", "exec_create",
                                                           "exec_start"};
    const bool is_loose =
        values != nullptr && std::any_of(with_more.begin(), with_more.end(),
                                         [&](auto word) { return is_one_of(values, word); });
    return is_loose ? begins_as_one_of(values, event.action) : is_one_of(values, event.action);
}

bool passes_labels(const Values* values, const ShownEvent& event) {
    return values == nullptr ||
           std::all_of(values->begin(), values->end(), [&](const std::string& wanted) {
               const std::size_t equals = std::min(wanted.find('='), wanted.size());
               const auto at = event.attributes.find(wanted.substr(0, equals));
               return at != event.attributes.end() &&
                      (equals == wanted.size() || at->second == wanted.substr(equals + 1));
           });
}

/// Whatever the event is of: the engine looks at no type here.
bool passes_name(const Values* values, const ShownEvent& event) {
    return begins_as_one_of(values, event.id) || begins_as_one_of(values, attribute(event, "name"));
}

bool passes_image(const Values* values, const ShownEvent& event) {
    const std::string_view image = attribute(event, event.type == "image" ? "name" : "image");
    const std::string_view bare = image.substr(0, image.rfind(':'));
    return is_one_of(values, event.id) || is_one_of(values, image) || is_one_of(values, bare);
}

}  // namespace

ShownEvent shown(const EngineEvent& event, const SandboxEngine& engine) {
    ShownEvent shown{std::string(event.type), std::string(event.action), {}, {}, {}};
    shown.at = engine.wall_at(event.at);
    const Sandbox* const sandbox = event.sandbox == 0 ? nullptr : &engine.sandbox(event.sandbox);
    if (event.details) {
        shown.id = event.details->id;
        shown.action.append(event.details->command);
    }
    if (sandbox != nullptr && event.type == "network") {
        show_network(shown, *sandbox);
    } else if (sandbox != nullptr) {
        show_sandbox(shown, event, *sandbox);
    }
    if (event.details) {
        for (const auto& [key, value] : event.details->attributes) {
            shown.attributes[key] = value;
        }
    }
    return shown;
}

bool passes(const Filters& filters, const ShownEvent& event) {
    return passes_action(values_of(filters, "event"), event) &&
           is_one_of(values_of(filters, "type"), event.type) &&
           is_one_of(values_of(filters, "scope"), "local") &&
           passes_name(values_of(filters, "container"), event) &&
           passes_name(values_of(filters, "volume"), event) &&
           passes_name(values_of(filters, "network"), event) &&
           passes_name(values_of(filters, "plugin"), event) &&
           passes_image(values_of(filters, "image"), event) &&
           passes_labels(values_of(filters, "label"), event);
}

void append_event(std::string& text, const ShownEvent& event) {
    text.push_back('{');
    if (event.type == "container" || event.type == "image") {
        text.append(R"("status":)");
        append_json(text, event.action);
        text.append(R"(,"id":)");
        append_json(text, event.id);
        const std::string_view image = attribute(event, "image");
        if (!image.empty()) {
            text.append(R"(,"from":)");
            append_json(text, image);
        }
        text.push_back(',');
    }
    text.append(R"("Type":)");
    append_json(text, event.type);
    text.append(R"(,"Action":)");
    append_json(text, event.action);
    text.append(R"(,"Actor":{"ID":)");
    append_json(text, event.id);
    text.append(R"(,"Attributes":{)");
    for (const auto& [key, value] : event.attributes) {
        text.append(text.back() == '{' ? "" : ",");
        append_json(text, key);
        text.push_back(':');
        append_json(text, value);
    }
    const auto nanoseconds = event.at.time_since_epoch();
    text.append(fmt::format("}}}},\"scope\":\"local\",\"time\":{},\"timeNano\":{}}}\n",
                            nanoseconds / std::chrono::seconds(1), nanoseconds.count()));
}

Moment read_moment(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const Number seconds = whole_number(text.substr(0, point));
    std::string fraction(text.substr(std::min(point + 1, text.size())));
    fraction.resize(9, '0');
    const Number nanoseconds = whole_number(fraction);
    for (const Number* number : {&seconds, &nanoseconds}) {
        if (!number->error.empty()) {
            std::string error = number->error;
            error.replace(0, error.find(':'), "strconv.ParseInt");
            return {.error = std::move(error)};
        }
    }
    return {.at = WallTime(std::chrono::seconds(seconds.value) +
                           std::chrono::nanoseconds(nanoseconds.value))};
}

}  // namespace drydock::sim::docker
