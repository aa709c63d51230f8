#include "docker/tar.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace drydock::sim::docker {
namespace {

struct Free {
    void operator()(archive* reader_or_writer) const { archive_free(reader_or_writer); }
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Archive = std::unique_ptr<archive, Free>;
using Entry = std::unique_ptr<archive_entry, Free>;

constexpr std::size_t block_size = 512;

/// A place in a header.
struct Field {
    std::size_t at;
    std::size_t width;
};
constexpr Field mode_field{100, 8};
constexpr Field size_field{124, 12};
constexpr Field sum_field{148, 8};
constexpr std::size_t type_at = 156;
/// Mode, owner, group, size, time, and the two numbers of a device.
constexpr std::array<Field, 7> numbers = {
    {mode_field, {108, 8}, {116, 8}, size_field, {136, 12}, {329, 8}, {337, 8}}};

mode_t type_of(FileKind kind) {
    switch (kind) {
        case FileKind::folder: return AE_IFDIR;
        case FileKind::link: return AE_IFLNK;
        case FileKind::fifo: return AE_IFIFO;
        case FileKind::file: break;
    }
    return AE_IFREG;
}

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

void write_entry(archive* writer, const TarEntry& one) {
    const Inode& inode = one.inode;
    const bool is_file = inode.kind == FileKind::file;
    const Entry entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), one.path.c_str());
    archive_entry_set_filetype(entry.get(), type_of(inode.kind));
    archive_entry_set_perm(entry.get(), inode.mode);
    archive_entry_set_uid(entry.get(), inode.uid);
    archive_entry_set_gid(entry.get(), inode.gid);
    archive_entry_set_uname(entry.get(), inode.uid == 0 ? "root" : "");
    archive_entry_set_gname(entry.get(), inode.gid == 0 ? "root" : "");
    archive_entry_set_mtime(entry.get(), inode.changed.time_since_epoch() / std::chrono::seconds(1),
                            0);
    archive_entry_set_size(entry.get(),
                           is_file ? static_cast<la_int64_t>(inode.content.size()) : 0);
    if (inode.kind == FileKind::link) {
        archive_entry_set_symlink(entry.get(), inode.content.c_str());
    }
    check(writer, archive_write_header(writer, entry.get()) >= ARCHIVE_WARN);
    if (is_file) {
        const la_ssize_t written =
            archive_write_data(writer, inode.content.data(), inode.content.size());
        check(writer, written == static_cast<la_ssize_t>(inode.content.size()));
    }
}

std::size_t read_number(std::string_view header, Field field) {
    std::size_t number = 0;
    const char* const begin = header.data() + field.at;
    std::from_chars(begin, begin + field.width, number, 8);
    return number;
}

/// As Go does: all digits but the last, which is a NUL.
void write_number(std::string& header, Field field, std::size_t number) {
    header.replace(field.at, field.width, fmt::format("{:0{}o}", number, field.width - 1) + '\0');
}

std::size_t type_bits(char type) {
    switch (type) {
        case '0': return AE_IFREG;
        case '2': return AE_IFLNK;
        case '5': return AE_IFDIR;
        case '6': return AE_IFIFO;
        default: return 0;  // a header of the format's own
    }
}

/// The library leaves the kind of file out of the mode, as the standard has it, and ends numbers
/// otherwise.
void write_as_go_does(std::string& header) {
    for (const Field field : numbers) {
        write_number(header, field, read_number(header, field));
    }
    write_number(header, mode_field, read_number(header, mode_field) | type_bits(header[type_at]));
    header.replace(sum_field.at, sum_field.width, sum_field.width, ' ');
    std::size_t sum = 0;
    for (const char c : header) {
        sum += static_cast<unsigned char>(c);
    }
    header.replace(sum_field.at, sum_field.width - 1, fmt::format("{:06o}", sum) + '\0');
}

void rewrite_headers(std::string& tar) {
    for (std::size_t at = 0; at + block_size <= tar.size() && tar[at] != '\0';) {
        std::string header = tar.substr(at, block_size);
        write_as_go_does(header);
        tar.replace(at, block_size, header);
        const std::size_t size = read_number(header, size_field);
        at += block_size + (size + block_size - 1) / block_size * block_size;
    }
}

std::optional<FileKind> kind_of(archive_entry* entry) {
    switch (archive_entry_filetype(entry)) {
        case AE_IFDIR: return FileKind::folder;
        case AE_IFLNK: return FileKind::link;
        case AE_IFIFO: return FileKind::fifo;
        case AE_IFREG: return FileKind::file;
        default: return std::nullopt;
    }
}

bool read_content(archive* reader, std::string& content) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int status = ARCHIVE_OK;
    while ((status = archive_read_data_block(reader, &block, &size, &offset)) == ARCHIVE_OK) {
        content.resize(std::max(content.size(), static_cast<std::size_t>(offset)));  // of a hole
        content.append(static_cast<const char*>(block), size);
    }
    return status == ARCHIVE_EOF;
}

/// Nothing for what is no file of ours, as devices are.
std::optional<TarEntry> read_entry(archive_entry* entry) {
    TarEntry one;
    const char* const path = archive_entry_pathname(entry);
    const char* const same_as = archive_entry_hardlink(entry);
    const char* const link = archive_entry_symlink(entry);
    const auto kind = same_as == nullptr ? kind_of(entry) : FileKind::file;
    if (path == nullptr || !kind) {
        return std::nullopt;
    }
    one.path = path;
    one.same_as = same_as == nullptr ? "" : same_as;
    one.inode.kind = *kind;
    one.inode.mode = static_cast<std::uint16_t>(archive_entry_perm(entry));
    one.inode.uid = static_cast<std::uint32_t>(archive_entry_uid(entry));
    one.inode.gid = static_cast<std::uint32_t>(archive_entry_gid(entry));
    one.inode.changed = WallTime(std::chrono::seconds(archive_entry_mtime(entry)));
    one.inode.content = link == nullptr ? "" : link;
    return one;
}

std::string go_error(archive* reader, std::string_view bytes) {
    const char* const why = archive_error_string(reader);
    const bool is_cut =
        bytes.size() < block_size ||
        (why != nullptr && std::string_view(why).find("runcated") != std::string_view::npos);
    return is_cut ? "unexpected EOF" : "archive/tar: invalid tar header";
}

}  // namespace

std::string write_tar(const std::vector<TarEntry>& entries) {
    std::string tar;
    const Archive writer(archive_write_new());
    check(writer.get(), archive_write_set_format_pax_restricted(writer.get()) == ARCHIVE_OK);
    check(writer.get(), archive_write_set_bytes_in_last_block(writer.get(), 1) == ARCHIVE_OK);
    check(writer.get(),
          archive_write_open(writer.get(), &tar, nullptr, append, nullptr) == ARCHIVE_OK);
    for (const TarEntry& entry : entries) {
        write_entry(writer.get(), entry);
    }
    check(writer.get(), archive_write_close(writer.get()) == ARCHIVE_OK);
    rewrite_headers(tar);
    return tar;
}

ReadTar read_tar(std::string_view bytes) {
    ReadTar read;
    if (bytes.empty()) {
        return read;
    }
    const Archive reader(archive_read_new());
    archive_read_support_format_tar(reader.get());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_xz(reader.get());
    int status = archive_read_open_memory(reader.get(), bytes.data(), bytes.size());
    archive_entry* entry = nullptr;
    while (status >= ARCHIVE_WARN &&
           (status = archive_read_next_header(reader.get(), &entry)) >= ARCHIVE_WARN &&
           status != ARCHIVE_EOF) {
        std::optional<TarEntry> one = read_entry(entry);
        const bool has_content = one && one->inode.kind == FileKind::file && one->same_as.empty();
        if (has_content && !read_content(reader.get(), one->inode.content)) {
            status = ARCHIVE_FATAL;
        }
        if (one) {
            read.entries.push_back(std::move(*one));
        }
    }
    if (status != ARCHIVE_EOF) {
        read.error = go_error(reader.get(), bytes);
    }
    return read;
}

}  // namespace drydock::sim::docker
