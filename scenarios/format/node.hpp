#pragma once

#include <drydock/time.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::scenarios {

/// A JSON value that knows where it stands. Every reading function throws faults::InputError with
/// its pointer if the value is not what was asked for.
class Node {
public:
    explicit Node(const nlohmann::json& json, std::string pointer = {})
        : json_(&json), pointer_(std::move(pointer)) {}

    const nlohmann::json& json() const { return *json_; }
    const std::string& pointer() const { return pointer_; }
    [[noreturn]] void fail(std::string message) const;

    bool is_string() const;
    bool is_array() const;
    bool is_object() const;
    bool is_boolean() const;

    /// An object with no other fields than these.
    void check_fields(std::span<const std::string_view> known) const;
    /// An object's field that must be there; that may be there.
    Node at(std::string_view field) const;
    std::optional<Node> find(std::string_view field) const;
    std::vector<std::pair<std::string, Node>> members() const;

    /// An array of `least` to `most` values.
    std::vector<Node> items(std::size_t least, std::size_t most) const;

    const std::string& text(std::size_t longest) const;
    /// `[A-Za-z0-9][A-Za-z0-9_.-]*`, at most 128 characters.
    std::string name() const;
    /// `[a-z0-9][a-z0-9_.-]*`, at most 64 characters.
    std::string process_name() const;
    /// Any text of 1 to 1024 bytes.
    std::string key() const;
    /// The same, and without characters of value 0.
    std::string job_id() const;
    bool boolean() const;
    /// The index of the text in `words`.
    std::size_t word(std::span<const std::string_view> words, std::string_view what) const;
    std::uint32_t count(std::uint32_t least, std::uint32_t most) const;
    double share() const;  ///< 0 to 1
    Duration duration() const;
    Duration positive_duration() const;

private:
    const nlohmann::json* json_;
    std::string pointer_;
};

}  // namespace drydock::scenarios
