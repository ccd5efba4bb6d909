#pragma once
#include <optional>

#include "polhode/format/language/arguments.h"
#include "polhode/format/language/draft.h"
#include "polhode/mechanism/signal.h"

/// Functions of time: what kinematic coordinates follow and what drives forces.
namespace polhode::format {

inline constexpr std::string_view signal_usage =
    "a number, (constant c), (sine amplitude frequency [phase] [offset]), (polynomial c0 c1 ...), (samples (t x) (t x) ...), "
    "(file \"data.csv\" [column]), (sum ...) or (product ...)";
inline constexpr std::string_view kinematic_usage =
    "(kinematic \"coordinate\" signal), for example (kinematic \"x\" (sine 0.1 6.28))";

/// Takes the next argument as a signal.
std::optional<Signal> take_signal(Arguments& arguments);
/// True if the next argument is a form that take_signal knows.
bool at_signal_form(const Arguments& arguments);

bool is_signal_word(std::string_view head);

void read_kinematic(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
