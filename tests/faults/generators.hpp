#pragma once

#include <drydock/faults/choice.hpp>
#include <drydock/faults/site.hpp>

#include <rapidcheck.h>

#include <string>

namespace drydock::faults {

rc::Gen<std::string> any_process_name();
/// Any bytes, the empty key (none) included.
rc::Gen<std::string> any_lease_key();
rc::Gen<SiteName> any_site_name();
rc::Gen<Duration> any_duration();
/// A legal fate of the exchange, short or composed.
rc::Gen<Fate> any_fate(Operation operation);
/// Any choice that fits the site.
rc::Gen<Choice> any_choice(Aspect aspect, Operation operation);

}  // namespace drydock::faults
