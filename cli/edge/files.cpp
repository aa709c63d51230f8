#include "edge/files.hpp"

#include "edge/environment.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace drydock::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, std::string_view what,
                       const std::error_code& cause = {errno, std::generic_category()}) {
    throw faults::InputError("", fmt::format("{}: {}", what, cause.message()), path);
}

// The reader has accepted the text, so that it is a JSON object.
bool says_attempts(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    return json.contains("client") && json["client"].contains("attempts");
}

std::vector<std::string> files_of(const std::string& path) {
    std::error_code ignored;  // whoever opens the file then says what is wrong with it
    if (!fs::is_directory(path, ignored)) return {path};
    return files_in(path, ".json");
}

// Whoever opens the file then says what is wrong with it.
void make_parent(const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    std::error_code error;
    if (!parent.empty()) fs::create_directories(parent, error);
    errno = error.value();
}

}  // namespace

std::vector<std::string> files_in(const std::string& folder, std::string_view extension) {
    std::error_code error;
    std::vector<std::string> files;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == extension) files.push_back(entry->path().string());
    }
    if (error) fail(folder, "cannot be read", error);
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        throw faults::InputError("", fmt::format("this folder holds no *{}", extension), folder);
    }
    return files;
}

std::string read_file(const std::string& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) throw faults::InputError("", "is a folder", path);
    // A pipe would be waited for, and a device may never end.
    if (fs::is_other(status)) throw faults::InputError("", "is no regular file", path);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(path, "cannot be read");
    std::string text;
    std::vector<char> block(std::size_t{1} << 16);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) ||
           file.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > scenarios::max_file_size) {
            throw faults::InputError("", "is longer than 16 MiB", path);
        }
    }
    if (file.bad()) fail(path, "cannot be read");
    return text;
}

void write_file(const std::string& path, std::string_view text) {
    make_parent(path);
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) fail(path, "cannot be written");
}

void check_writable(const std::string& path) {
    std::error_code ignored;
    const fs::file_status before = fs::status(path, ignored);
    // Whoever reads a pipe would take its closing for the end.
    const bool is_special = fs::exists(before) && fs::is_other(before);
    if (is_special) return;
    const bool is_new = !fs::exists(fs::symlink_status(path, ignored));
    make_parent(path);
    std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file) fail(path, "cannot be written");
    file.close();
    if (is_new) fs::remove(path, ignored);
}

void check_outputs(const CommonOptions& options) {
    if (!options.json.empty() && options.json != "-") check_writable(options.json);
    if (!options.out.empty()) check_writable(options.out + "/outcome.json");
}

scenarios::CorpusEntry read_scenario_file(const Context& context, const std::string& path,
                                          bool with_environment) {
    const std::string text = read_file(path);
    scenarios::Scenario scenario = scenarios::read_scenario(text, path, context.backend_names());
    if (with_environment && !says_attempts(text)) {
        if (const auto attempts = start_attempts()) scenario.client.attempts = *attempts;
    }
    scenarios::check_names(scenario, path, context.clients);
    return {path, std::move(scenario)};
}

std::vector<scenarios::CorpusEntry> read_scenario_files(const Context& context,
                                                        const std::vector<std::string>& paths,
                                                        bool with_environment) {
    std::vector<scenarios::CorpusEntry> entries;
    for (const std::string& path : paths) {
        for (const std::string& file : files_of(path)) {
            entries.push_back(read_scenario_file(context, file, with_environment));
        }
    }
    return entries;
}

}  // namespace drydock::cli
