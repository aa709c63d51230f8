#include <drydock/sim/real_io.hpp>

#include <drydock/sim/process.hpp>

#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/scheduler.hpp>

namespace drydock::sim {

bool uses_real_io(Process& process) {
    return asio::has_service<asio::detail::scheduler>(process) ||
           asio::has_service<asio::detail::reactor>(process);
}

}  // namespace drydock::sim
