#pragma once

#include <drydock/operation.hpp>
#include <drydock/runtime.hpp>
#include <drydock/time.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock {

enum class Method : std::uint8_t { get, head, post, put, del };

std::string_view name(Method method);

struct Header {
    std::string name;
    std::string value;
};

struct Request {
    Method method = Method::get;
    std::string target;             ///< path and query, percent-encoded
    std::string_view content_type;  ///< static text, empty without a body
    std::string body;
    std::string authorization{};  ///< the header's value, empty without one
    bool asks_upgrade = false;    ///< Connection: Upgrade, Upgrade: tcp
};

struct Response {
    int status = 0;
    std::vector<Header> headers;
    std::string body;

    /// The value of the header of that name (any case), or empty.
    std::string_view header(std::string_view name) const noexcept;
};

/// How far a request got before its exchange failed.
enum class Progress : std::uint8_t { not_sent, partly_sent, sent, reply_begun };

/// Why an exchange has no readable reply.
struct TransportFailure {
    enum class Cause : std::uint8_t { cancelled, connect, pool_wait, reset, timeout, malformed };
    Cause cause = Cause::connect;
    Progress progress = Progress::not_sent;
    int status = 0;  ///< the status line, where it was read before the failure
};

/// One exchange's reply or its failure. Not a Result: only an adapter can say what landed.
class Exchanged : public boost::system::result<Response, TransportFailure> {
public:
    using boost::system::result<Response, TransportFailure>::result;
};

[[noreturn]] void throw_exception_from_error(const TransportFailure& failure,
                                             const boost::source_location&);

/// What came on a stream: at least one byte, or none at its clean end.
class Received : public boost::system::result<std::string, TransportFailure> {
public:
    using boost::system::result<std::string, TransportFailure>::result;
};

/// The body of a reply that has no known end: an upgraded connection, or one that ends by closing.
/// Dropping it closes the connection; the server goes on without us.
class ByteStream {
public:
    virtual ~ByteStream() = default;
    /// The next bytes, as soon as there are any. After a failure or the end, the same again.
    virtual awaitable<Received> read(Tag tag, Duration limit, Interrupt interrupt) = 0;
};

/// A reply whose head was read. `stream` carries its body if `head` is a success, and is null else:
/// the body of a refusal is in `head`.
struct OpenedStream {
    Response head;
    std::unique_ptr<ByteStream> stream;
};

class Opened : public boost::system::result<OpenedStream, TransportFailure> {
public:
    using boost::system::result<OpenedStream, TransportFailure>::result;
};

/// Carries one HTTP exchange to a backend under a limit. A cancelled exchange (if allowed) returns
/// at once with what had been sent by then; the server goes on without us.
class Transport {
public:
    virtual ~Transport() = default;
    virtual awaitable<Exchanged> exchange(Tag tag, Request request, Duration limit,
                                          Interrupt interrupt) = 0;
    /// The same for a request whose reply is a stream (it asks for an upgrade; 101 and 200 are both
    /// success). `limit` is until the head was read.
    virtual awaitable<Opened> open(Tag tag, Request request, Duration limit,
                                   Interrupt interrupt) = 0;
};

}  // namespace drydock
