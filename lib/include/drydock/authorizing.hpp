#pragma once

#include <drydock/result.hpp>
#include <drydock/runtime.hpp>
#include <drydock/transport.hpp>

#include <functional>
#include <memory>
#include <string>

namespace drydock {

/// Gives a token that is valid now. Asked again when the backend refuses the last one.
using TokenSource = std::function<awaitable<Result<std::string>>()>;

/// Sends each request over `inner` with `Authorization: Bearer TOKEN`. On a 401, which nothing was
/// applied of, the source is asked once for a fresh token and the exchange is repeated once; a
/// second 401 is the reply. Exchanges that are refused together share one fresh token. Without a
/// token nothing is sent, and the reply is a 401 that says why.
///
/// The source runs as Operation::refresh and inside the exchange's limit. `inner` and `runtime`
/// must outlive it.
std::unique_ptr<Transport> make_authorizing_transport(Transport& inner, Runtime& runtime,
                                                      TokenSource source);

}  // namespace drydock
