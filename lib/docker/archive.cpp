#include "docker/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>

namespace drydock::docker {
namespace {

struct Free {
    void operator()(archive* reader_or_writer) const { archive_free(reader_or_writer); }
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Archive = std::unique_ptr<archive, Free>;
using Entry = std::unique_ptr<archive_entry, Free>;

void check(archive* writer, bool is_done) {
    if (!is_done) {
        const char* const why = archive_error_string(writer);
        throw std::runtime_error(why == nullptr ? "cannot write an archive" : why);
    }
}

la_ssize_t append(archive*, void* target, const void* bytes, std::size_t size) {
    static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
}

mode_t type_of(FileEntry::Kind kind) {
    switch (kind) {
        case FileEntry::Kind::folder: return AE_IFDIR;
        case FileEntry::Kind::link: return AE_IFLNK;
        default: return AE_IFREG;
    }
}

/// Enough for entries with short names.
std::size_t packed_size(const std::vector<FileEntry>& entries) {
    constexpr std::size_t block = 512;
    std::size_t blocks = 2;
    for (const FileEntry& entry : entries) {
        blocks += 1 + (entry.content.size() + block - 1) / block;
    }
    return blocks * block;
}

void write_entry(archive* writer, const FileEntry& file) {
    const Entry entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), file.path.c_str());
    archive_entry_set_filetype(entry.get(), type_of(file.kind));
    archive_entry_set_perm(entry.get(), static_cast<mode_t>(file.mode));
    archive_entry_set_mtime(entry.get(), 0, 0);
    const bool is_file = file.kind == FileEntry::Kind::file;
    archive_entry_set_size(entry.get(), is_file ? static_cast<la_int64_t>(file.content.size()) : 0);
    if (file.kind == FileEntry::Kind::link) {
        archive_entry_set_symlink(entry.get(), file.content.c_str());
    }
    check(writer, archive_write_header(writer, entry.get()) >= ARCHIVE_WARN);
    if (!is_file) return;
    const la_ssize_t written = archive_write_data(writer, file.content.data(), file.content.size());
    check(writer, written == static_cast<la_ssize_t>(file.content.size()));
}

FileEntry::Kind kind_of(archive_entry* entry) {
    switch (archive_entry_filetype(entry)) {
        case AE_IFREG: return FileEntry::Kind::file;
        case AE_IFDIR: return FileEntry::Kind::folder;
        case AE_IFLNK: return FileEntry::Kind::link;
        default: return FileEntry::Kind::other;
    }
}

/// "job/out" is "out"; "job" and "job/" are "".
std::string below_first(std::string_view path) {
    if (path.ends_with('/')) path.remove_suffix(1);
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string() : std::string(path.substr(slash + 1));
}

bool read_content(archive* reader, std::string& content) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    for (;;) {
        const int status = archive_read_data_block(reader, &block, &size, &offset);
        if (status == ARCHIVE_EOF) return true;
        if (status != ARCHIVE_OK) return false;
        if (static_cast<std::size_t>(offset) != content.size()) return false;  // of a sparse file
        content.append(static_cast<const char*>(block), size);
    }
}

/// Nothing for an entry without a name that can be shown.
std::optional<FileEntry> read_entry(archive_entry* entry) {
    const char* const path = archive_entry_pathname(entry);
    if (path == nullptr) return std::nullopt;
    FileEntry file;
    file.kind = archive_entry_hardlink(entry) == nullptr ? kind_of(entry) : FileEntry::Kind::other;
    file.path = below_first(path);
    file.mode = static_cast<std::uint32_t>(archive_entry_perm(entry));
    const char* const text = archive_entry_symlink(entry);
    if (file.kind == FileEntry::Kind::link && text != nullptr) file.content = text;
    return file;
}

}  // namespace

std::string write_archive(const std::vector<FileEntry>& entries) {
    std::string bytes;
    bytes.reserve(packed_size(entries));
    const Archive writer(archive_write_new());
    check(writer.get(), archive_write_set_format_gnutar(writer.get()) == ARCHIVE_OK);
    check(writer.get(), archive_write_set_bytes_per_block(writer.get(), 0) == ARCHIVE_OK);
    check(writer.get(),
          archive_write_open(writer.get(), &bytes, nullptr, append, nullptr) == ARCHIVE_OK);
    for (const FileEntry& entry : entries) {
        write_entry(writer.get(), entry);
    }
    check(writer.get(), archive_write_close(writer.get()) == ARCHIVE_OK);
    return bytes;
}

std::optional<std::vector<FileEntry>> read_archive(std::string_view bytes) {
    std::vector<FileEntry> files;
    const Archive reader(archive_read_new());
    archive_read_support_format_tar(reader.get());
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
        return std::nullopt;
    }
    archive_entry* entry = nullptr;
    for (;;) {
        const int status = archive_read_next_header(reader.get(), &entry);
        if (status == ARCHIVE_EOF) return files;
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return std::nullopt;
        std::optional<FileEntry> file = read_entry(entry);
        if (!file) continue;
        const bool is_file = file->kind == FileEntry::Kind::file;
        if (is_file && !read_content(reader.get(), file->content)) return std::nullopt;
        files.push_back(std::move(*file));
    }
}

}  // namespace drydock::docker
