# Run by drydock_embed: writes STEM.hpp and STEM.cpp from FILE.
file(READ ${FILE} hex HEX)

# Bytes, not a string literal: compilers need not accept literals over 65535 characters, and a raw
# literal could meet its own delimiter.
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")

file(WRITE ${STEM}.hpp
"#pragma once

#include <string_view>

namespace drydock::embedded {
extern const std::string_view ${SYMBOL};
}
")

file(WRITE ${STEM}.cpp
"#include \"embedded/${SYMBOL}.hpp\"

namespace drydock::embedded {
namespace {
constexpr unsigned char bytes[] = {
${bytes}0};
}
const std::string_view ${SYMBOL}{reinterpret_cast<const char*>(bytes), sizeof bytes - 1};
}  // namespace drydock::embedded
")
