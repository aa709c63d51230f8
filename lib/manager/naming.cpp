#include "manager/naming.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::detail {

namespace {

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

// FNV-1a over both parts and a separator that neither can forge.
std::uint32_t hash_of(std::string_view owner, std::string_view key) {
    std::uint32_t hash = 2166136261U;
    const auto fold = [&hash](std::string_view text) {
        for (const char c : text) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        }
        hash = (hash ^ 0xffU) * 16777619U;
    };
    fold(owner);
    fold(key);
    return hash;
}

// Docker sets no limit of its own, but a name is also the default host name.
constexpr std::size_t readable_length = 24;

std::string readable(std::string_view text) {
    std::string part(text.substr(0, readable_length));
    std::replace_if(part.begin(), part.end(), [](char c) { return !is_name_character(c); }, '_');
    return part;
}

}  // namespace

std::string sandbox_name(std::string_view owner, std::string_view key, std::uint32_t attempt) {
    return fmt::format("drydock-{}-{}-{:08x}-{}", readable(owner), readable(key),
                       hash_of(owner, key), attempt);
}

std::string idempotency_key(const LedgerRecord& row) {
    return fmt::format("{}/{}/{}", row.owner, row.key, row.acquisition);
}

Labels labels_of(const LedgerRecord& row) {
    Labels labels = row_labels(row);
    labels.emplace_back(label::key, idempotency_key(row));
    return labels;
}

Labels row_labels(const LedgerRecord& row) {
    Labels labels;
    labels.reserve(4);
    labels.emplace_back(label::owner, row.owner);
    labels.emplace_back(label::lease, row.key);
    labels.emplace_back(label::attempt, std::to_string(row.attempt));
    return labels;
}

bool is_of_row(const SandboxInfo& sandbox, const LedgerRecord& row) {
    return sandbox.label(label::owner) == row.owner && sandbox.label(label::lease) == row.key &&
           sandbox.label(label::attempt) == std::to_string(row.attempt);
}

}  // namespace drydock::detail
