#pragma once

#include <drydock/error.hpp>

#include <boost/system/result.hpp>

#include <stdexcept>
#include <utility>

namespace drydock {

/// Thrown by Result::value() on an error: asking for a value that is not there is a defect.
class BadResult : public std::logic_error {
public:
    explicit BadResult(const Error& error) : std::logic_error(error.describe()) {}
};

[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
    throw BadResult(error);
}

/// A value or an Error. Remote failure is a value, so that teardown after it is ordinary code.
template <class T>
class [[nodiscard]] Result : public boost::system::result<T, Error> {
public:
    using boost::system::result<T, Error>::result;
};

}  // namespace drydock
