#pragma once

#include <drydock/good.hpp>
#include <drydock/sim/world.hpp>  // layers: upward

#include "topic/private.hpp"  // layers: private
