#pragma once

#include "docker/create_body.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

/// Reads fields as Go's decoder does: a null is as good as nothing, another type is refused. The
/// first refusal stays.
class Fields {
public:
    Fields(const nlohmann::json& object, std::string_view struct_name,
           std::optional<Refusal>& refusal)
        : object_(object), struct_name_(struct_name), refusal_(refusal) {}

    const nlohmann::json* find(const char* key) const;
    /// The value if it is an object; another type is refused as no `wanted`.
    const nlohmann::json* find_object(const char* key, std::string_view wanted);
    const nlohmann::json* find_array(const char* key, std::string_view wanted);

    void read(const char* key, std::string& to);
    void read(const char* key, bool& to);
    void read(const char* key, std::int64_t& to);
    void read(const char* key, std::vector<std::string>& to);
    void refuse(std::string_view key, const nlohmann::json& value, std::string_view wanted);

private:
    const nlohmann::json& object_;
    std::string_view struct_name_;
    std::optional<Refusal>& refusal_;
};

/// What Go's decoder calls a value of this kind.
std::string_view type_word(const nlohmann::json& value);

/// "/a/b" for "/a//./c/../b/": Go's path.Clean.
std::string clean_path(std::string_view path);

}  // namespace drydock::sim::docker
