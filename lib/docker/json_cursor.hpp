#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace drydock::docker {

/// Walks a JSON text from front to back and reads only what it is asked for; the rest is stepped
/// over with its brackets and strings checked, not its scalars. An inspect answer is 3 to 4 KB of
/// which we want 200 bytes: nlohmann's SAX parser takes ten times as long for it, most of a whole
/// exchange.
///
/// A wrong type, a broken text or nesting beyond `max_depth` fails the cursor; all later calls are
/// then refused, so that a reader checks once, at its end.
class JsonCursor {
public:
    static constexpr unsigned max_depth = 64;

    explicit JsonCursor(std::string_view text) noexcept
        : at_(text.data()), end_(text.data() + text.size()) {}

    bool failed() const noexcept { return failed_; }

    /// Steps into an object. Then `next_key` until it is false; each key's value must be consumed.
    bool enter_object() { return enter('{'); }
    /// Stands at the next key's value, or past the object's end (false). Escapes in keys are kept.
    bool next_key(std::string_view& key);

    /// Steps into an array. Then `next_element` until it is false.
    bool enter_array() { return enter('['); }
    bool next_element() { return next(']'); }

    /// True if the value here is a null, which is then consumed.
    bool take_null();
    /// True if the value here is a string.
    bool at_string();
    bool read_string(std::string& value);
    bool read_bool(bool& value);
    bool read_int(int& value);
    /// Steps over any value.
    bool skip();
    /// True if nothing but blanks is left.
    bool at_end();

private:
    bool fail() noexcept;
    void blanks() noexcept;
    bool enter(char bracket);
    bool next(char closing);
    bool take(std::string_view word);
    bool step_over_string();
    bool step_over_scalar();
    bool read_escape(std::string& value);
    bool read_unit(std::uint32_t& unit);

    const char* at_;
    const char* end_;
    unsigned depth_ = 0;
    bool first_ = false;  ///< just inside a bracket: no comma is due
    bool failed_ = false;
};

}  // namespace drydock::docker
