#pragma once
#include <optional>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/law.h"

/// Laws: arithmetic that names coordinates, speeds, time, inputs, states and discrete variables (docs/language.md, "Laws and
/// states").
namespace polhode::format {

inline constexpr std::string_view state_usage =
    "(state \"name\" start (rate LAW)), for example (state \"a\" 0 (rate (/ (- command a) 0.05)))";

/// Whether the next argument is a law: it names something that is no parameter, or has an operation that only laws have.
bool at_law(const Arguments& arguments);
/// Takes the next argument as a law; numbers and signals will do.
std::optional<Law> take_law(Arguments& arguments);
/// Whether one of the next `count` arguments is a law.
bool any_law_ahead(const Arguments& arguments, int count);
/// Three of them.
std::optional<std::array<Law, 3>> take_three_laws(Arguments& arguments);

void read_state(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
