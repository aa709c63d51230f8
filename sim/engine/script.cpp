#include "engine/script.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace drydock::sim {
namespace {

using Kind = Statement::Kind;
using RunIf = Statement::RunIf;

/// A statement's text, and how it follows and is followed.
struct Piece {
    std::string_view text;
    RunIf run_if = RunIf::always;
    bool is_background = false;
};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    const std::size_t last = text.find_last_not_of(blanks);
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// The length of the separator there, 0 if there is none.
std::size_t separator_at(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("&&") || rest.starts_with("||")) {
        return 2;
    }
    const bool is_redirection = at > 0 && text[at - 1] == '>';
    const bool ends = rest[0] == ';' || rest[0] == '\n' || (rest[0] == '&' && !is_redirection);
    return ends ? 1 : 0;
}

std::vector<Piece> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    Piece piece;
    std::size_t begin = 0;
    char quote = '\0';
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool is_over = i == text.size();
        if (!is_over && quote == '\0' && (text[i] == '\'' || text[i] == '"')) {
            quote = text[i];
        } else if (!is_over && quote != '\0') {
            quote = text[i] == quote ? '\0' : quote;
        } else if (const std::size_t length = is_over ? 1 : separator_at(text, i)) {
            piece.text = trimmed(text.substr(begin, i - begin));
            const std::string_view by = is_over ? "" : text.substr(i, length);
            piece.is_background = by == "&";
            if (!piece.text.empty()) {
                pieces.push_back(piece);
            }
            piece.run_if = by == "&&"   ? RunIf::success
                           : by == "||" ? RunIf::failure
                                        : RunIf::always;
            begin = i + length;
            i += length - 1;
        }
    }
    return pieces;
}

bool take_word(std::string_view& text, std::string_view word) {
    const bool is_first =
        text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
    if (is_first) {
        text = trimmed(text.substr(word.size()));
    }
    return is_first;
}

class Parser {
public:
    explicit Parser(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

    /// Up to the end, or to the `done` of the loop that it is in.
    std::vector<Statement> statements() {
        std::vector<Statement> list;
        while (at_ < pieces_.size()) {
            Piece& piece = pieces_[at_];
            if (take_word(piece.text, "done")) {
                break;
            }
            take_word(piece.text, "do");
            if (!piece.text.empty()) {
                list.push_back(statement(piece));
            }
            ++at_;
        }
        return list;
    }

private:
    Statement statement(Piece piece) {
        Statement made{.kind = piece.is_background ? Kind::background : Kind::command,
                       .run_if = piece.run_if};
        if (take_word(piece.text, "while") || take_word(piece.text, "until")) {
            made.kind = Kind::forever;
        } else if (take_word(piece.text, "for")) {
            made.kind = Kind::for_each;
        }
        made.text = piece.text;
        if (made.kind == Kind::forever || made.kind == Kind::for_each) {
            ++at_;
            made.body = statements();
        }
        return made;
    }

    std::vector<Piece> pieces_;
    std::size_t at_ = 0;
};

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Takes the name after a `$` off the text; empty: it is a plain dollar.
std::string_view take_variable_name(std::string_view& text) {
    if (text.starts_with('{')) {
        const std::size_t end = std::min(text.find('}'), text.size());
        const std::string_view name = text.substr(1, end - 1);
        text.remove_prefix(std::min(end + 1, text.size()));
        return name;
    }
    std::size_t length = 0;
    while (length < text.size() && is_name(text[length])) {
        ++length;
    }
    const bool is_special = length == 0 && !text.empty() &&
                            std::string_view("?$!").find(text[0]) != std::string_view::npos;
    length = is_special ? 1 : length;
    const std::string_view name = text.substr(0, length);
    text.remove_prefix(length);
    return name;
}

class WordReader {
public:
    WordReader(std::string_view text, const Variables& variables)
        : text_(text), variables_(variables) {}

    std::vector<std::string> words() {
        while (!text_.empty()) {
            const char c = take();
            if (c == quote_) {
                quote_ = '\0';
            } else if (quote_ == '\0' && (c == '\'' || c == '"')) {
                quote_ = c;
                is_begun_ = true;
            } else if (quote_ == '\0' && (c == ' ' || c == '\t')) {
                finish();
            } else {
                add(c);
            }
        }
        finish();
        return std::move(words_);
    }

private:
    char take() {
        const char c = text_.front();
        text_.remove_prefix(1);
        return c;
    }
    void add(char c) {
        is_begun_ = true;
        const bool escapes = c == '\\' && quote_ != '\'' && !text_.empty() &&
                             (quote_ == '\0' || text_[0] == '"' || text_[0] == '\\' ||
                              text_[0] == '$' || text_[0] == '`');
        if (c == '$' && quote_ != '\'') {
            const std::string_view name = take_variable_name(text_);
            word_.append(name.empty() ? "$" : variables_(name));
        } else {
            word_.push_back(escapes ? take() : c);
        }
    }
    void finish() {
        if (std::exchange(is_begun_, false)) {
            words_.push_back(std::exchange(word_, {}));
        }
    }

    std::string_view text_;
    const Variables& variables_;
    std::vector<std::string> words_;
    std::string word_;
    bool is_begun_ = false;
    char quote_ = '\0';
};

/// The byte of `0` and at most three octal digits at the beginning of the text, which go.
char take_octal(std::string_view& text) {
    unsigned int value = 0;
    text.remove_prefix(1);
    for (int digits = 0; digits < 3 && !text.empty() && text[0] >= '0' && text[0] <= '7';
         ++digits) {
        value = value * 8 + static_cast<unsigned int>(text[0] - '0');
        text.remove_prefix(1);
    }
    return static_cast<char>(value & 0xff);
}

/// With the backslash escapes of printf put in.
std::string unescaped(std::string_view text) {
    constexpr std::string_view letters = "ntr\\";
    constexpr std::string_view meant = "\n\t\r\\";
    std::string plain;
    while (!text.empty()) {
        const bool is_escape = text[0] == '\\' && text.size() > 1;
        const std::size_t letter = is_escape ? letters.find(text[1]) : std::string_view::npos;
        const char first = text[0];
        text.remove_prefix(1);
        if (is_escape && text[0] == '0') {
            plain.push_back(take_octal(text));
        } else if (letter != std::string_view::npos) {
            plain.push_back(meant[letter]);
            text.remove_prefix(1);
        } else {
            plain.push_back(first);
        }
    }
    return plain;
}

}  // namespace

std::vector<Statement> parse_script(std::string_view text) {
    return Parser(pieces_of(text)).statements();
}

std::vector<std::string> words_of(std::string_view text, const Variables& variables) {
    return WordReader(text, variables).words();
}

std::optional<int> plain_number(std::string_view text) {
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failed == std::errc{} && end == text.data() + text.size() && number >= 0;
    return is_whole ? std::optional(number) : std::nullopt;
}

std::optional<Duration> sleep_time(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto whole = plain_number(text.substr(0, point));
    if (!whole) {
        return std::nullopt;
    }
    Duration time = std::chrono::seconds(*whole);
    Duration unit = std::chrono::milliseconds(100);
    for (const char digit : text.substr(std::min(point + 1, text.size()))) {
        time += unit * (digit - '0');
        unit /= 10;
    }
    return time;
}

std::optional<int> signal_of(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, int>, 9> signals = {{{"HUP", 1},
                                                                          {"INT", 2},
                                                                          {"QUIT", 3},
                                                                          {"KILL", 9},
                                                                          {"USR1", 10},
                                                                          {"USR2", 12},
                                                                          {"TERM", 15},
                                                                          {"CONT", 18},
                                                                          {"STOP", 19}}};
    if (const auto number = plain_number(text)) {
        return number;
    }
    text.remove_prefix(text.starts_with("SIG") ? 3 : 0);
    for (const auto& [word, number] : signals) {
        if (word == text) {
            return number;
        }
    }
    return std::nullopt;
}

std::string echoed(const std::vector<std::string>& words) {
    const bool ends_line = words.size() < 2 || words[1] != "-n";
    std::string text;
    const std::size_t first = ends_line ? 1 : 2;
    for (std::size_t i = first; i < words.size(); ++i) {
        text.append(i == first ? "" : " ").append(words[i]);
    }
    return text.append(ends_line ? "\n" : "");
}

std::string formatted(const std::vector<std::string>& words) {
    const std::string format = unescaped(words.size() < 2 ? std::string_view() : words[1]);
    std::string text;
    std::size_t next = 2;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const bool is_place = format[i] == '%' && i + 1 < format.size();
        if (!is_place) {
            text.push_back(format[i]);
            continue;
        }
        ++i;
        const std::string& value = next < words.size() ? words[next] : std::string();
        text.append(format[i] == '%' ? "%" : format[i] == 'b' ? unescaped(value) : value);
        next += format[i] == '%' ? 0 : 1;
    }
    return text;
}

}  // namespace drydock::sim
