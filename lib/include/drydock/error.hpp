#pragma once

#include <drydock/operation.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock {

/// What failed, decided where status and type are still alive (benchflow#970).
enum class ErrorKind : std::uint8_t {
    cancelled,     ///< the caller gave up
    deadline,      ///< the whole call's limit passed
    connect,       ///< no connection: nothing was sent
    reset,         ///< the connection broke
    timeout,       ///< no answer within an exchange's limit
    pool_timeout,  ///< no connection became free: nothing was sent
    protocol,      ///< the answer cannot be read
    unauthorized,  ///< 401
    forbidden,     ///< 403
    not_found,     ///< 404
    conflict,      ///< 409
    invalid,       ///< 400, 422, or refused before anything was sent
    rate_limited,  ///< 429
    quota,         ///< 429 whose body names a quota
    unavailable,   ///< 5xx
    provisioning,  ///< the sandbox itself could not be made or set up (druks ENG-822)
    internal,      ///< a defect of drydock
    teardown,      ///< a sandbox known to exist could not be confirmed gone
    ledger,        ///< the durable record could not be written or read
};

inline constexpr std::size_t error_kind_count = 19;

std::string_view name(ErrorKind kind);
std::optional<ErrorKind> error_kind_from_name(std::string_view name);

/// Whether the server applied a request.
enum class Landed : std::uint8_t { no, yes, unknown };

std::string_view name(Landed landed);

/// Whether an effect may remain that somebody must still undo.
enum class Obligation : std::uint8_t { none, remains };

/// The fields an Error is made from; designated initialisers name them at the call site.
struct ErrorFields {
    ErrorKind kind = ErrorKind::internal;
    Landed landed = Landed::no;
    std::optional<Operation> operation{};
    int status = 0;      ///< HTTP status, 0 where there was none
    std::string code{};  ///< the backend's own error code
    std::string message{};
    Obligation obligation = Obligation::none;
};

/// A remote failure as a value. One pointer wide, immutable, cheap to copy; copies share causes.
/// `landed` speaks of the one exchange that failed; an error made of several exchanges carries
/// `obligation` instead.
class [[nodiscard]] Error {
public:
    /// An `internal` error without detail; exists because coroutine results are default-made.
    Error();
    explicit Error(ErrorFields fields);

    ErrorKind kind() const noexcept;
    Landed landed() const noexcept;
    std::optional<Operation> operation() const noexcept;
    int status() const noexcept;
    std::string_view code() const noexcept;
    std::string_view message() const noexcept;
    Obligation obligation() const noexcept;
    std::span<const Error> causes() const noexcept;

    /// The same error with one more cause at the end.
    Error with_cause(Error cause) const;
    Error with_obligation(Obligation obligation) const;

    /// "unavailable: container_start: 500 server error [drydock:unavailable]; caused by ...".
    /// Leads with the kind, says "(no detail)" where there is none, and ends its first part in one
    /// token from which `kind_in` reads the kind back after any string or process boundary.
    std::string describe() const;

private:
    struct Body;
    friend void intrusive_ptr_add_ref(Body* body) noexcept;
    friend void intrusive_ptr_release(Body* body) noexcept;
    explicit Error(boost::intrusive_ptr<Body> body);

    boost::intrusive_ptr<Body> body_;
};

static_assert(sizeof(Error) == sizeof(void*));

/// The kind of the first token that `describe` left in `text`.
std::optional<ErrorKind> kind_in(std::string_view text);

}  // namespace drydock
