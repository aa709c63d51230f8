#pragma once

#include <drydock/backend.hpp>
#include <drydock/transport.hpp>

#include <string>
#include <string_view>

namespace drydock::docker {

/// The requests of API version 1.41, one function per operation.
Request create_request(std::string_view name, const SandboxSpec& spec, const Labels& labels);
Request start_request(std::string_view id);
Request inspect_request(std::string_view id_or_name);
Request list_request(const Labels& labels);
Request remove_request(std::string_view id);

Request exec_create_request(std::string_view id, const ExecSpec& spec);
Request exec_start_request(std::string_view exec);
Request exec_open_request(std::string_view exec);
Request exec_inspect_request(std::string_view exec);
Request upload_request(std::string_view id, std::string_view folder, std::string archive);
Request download_request(std::string_view id, std::string_view folder);

/// Appends `text` so that it is one segment of a path or one value of a query.
void append_encoded(std::string& target, std::string_view text);

/// Appends `text` as a JSON string, quotes included.
void append_json(std::string& json, std::string_view text);

}  // namespace drydock::docker
