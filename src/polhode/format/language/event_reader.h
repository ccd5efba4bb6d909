#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of events.
namespace polhode::format {

inline constexpr std::string_view event_usage =
    "(event \"name\" (when WITNESS rises|falls|crosses value) ACTION ...), or (at time ...), (every period [from]) or "
    "(every-step) instead of (when ...)";
void read_event(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
