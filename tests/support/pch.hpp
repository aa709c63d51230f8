// The precompiled header of all tests.
#pragma once

#include "../../lib/pch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
