#include "edge/files.hpp"

#include "edge/environment.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace drydock::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
    const char* reason = std::strerror(errno);
    throw faults::InputError("", fmt::format("{}: {}", what, reason), path);
}

// The reader has accepted the text, so that it is a JSON object.
bool says_attempts(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    return json.contains("client") && json["client"].contains("attempts");
}

std::vector<std::string> files_of(const std::string& path) {
    if (!fs::is_directory(path)) return {path};
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) throw faults::InputError("", "this folder holds no *.json", path);
    return files;
}

// Whoever opens the file then says what is wrong with it.
void make_parent(const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    std::error_code error;
    if (!parent.empty()) fs::create_directories(parent, error);
    errno = error.value();
}

}  // namespace

std::string read_file(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) throw faults::InputError("", "is a folder", path);
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
    make_parent(path);
    const std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file) fail(path, "cannot be written");
}

scenarios::CorpusEntry read_scenario_file(const Context& context, const std::string& path,
                                          bool with_environment) {
    const std::string text = read_file(path);
    scenarios::Scenario scenario = scenarios::read_scenario(text, path, context.backend_names());
    if (with_environment && !says_attempts(text)) {
        if (const auto attempts = start_attempts()) scenario.client.attempts = *attempts;
    }
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
