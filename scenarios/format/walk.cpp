#include "format/walk.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace drydock::scenarios {
namespace {

using Json = nlohmann::json;

/// Follows the parser through a document and keeps the path to where it is.
class Walk final : public nlohmann::json_sax<Json> {
public:
    std::optional<SyntaxError> syntax_error;
    std::optional<faults::InputError> duplicate;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_array() override { return close(); }

    bool key(string_t& key) override {
        Level& level = path_.back();
        level.key = key;
        if (!level.keys.insert(key).second) {
            duplicate.emplace(pointer(),
                              fmt::format("the key {} stands here twice", faults::in_quotes(key)));
            return false;
        }
        return true;
    }

    bool parse_error(std::size_t offset, const std::string&,
                     const nlohmann::detail::exception& error) override {
        syntax_error = SyntaxError{offset, error.what()};
        return false;
    }

private:
    struct Level {
        std::size_t index = 0;  ///< of the next value, where it is an array
        std::optional<std::string> key{};
        std::set<std::string> keys{};
    };

    bool value() {
        if (!path_.empty()) {
            ++path_.back().index;
        }
        return true;
    }

    bool open() {
        path_.emplace_back();
        return true;
    }

    bool close() {
        path_.pop_back();
        return value();
    }

    std::string pointer() const {
        std::string text;
        for (const Level& level : path_) {
            text = level.key ? faults::below(text, *level.key) : faults::below(text, level.index);
        }
        return text;
    }

    std::vector<Level> path_;
};

}  // namespace

std::optional<SyntaxError> find_syntax_error(std::string_view text) {
    Walk walk;
    static_cast<void>(Json::sax_parse(text, &walk));
    if (walk.duplicate) {
        throw *walk.duplicate;
    }
    return walk.syntax_error;
}

}  // namespace drydock::scenarios
