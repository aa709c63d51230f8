// Boost.Asio's own sources, compiled once. Everything else sees declarations only
// (BOOST_ASIO_SEPARATE_COMPILATION), which makes each of the other files cheaper to compile.
#include <boost/asio/impl/src.hpp>
