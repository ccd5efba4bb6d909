#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of what moves joints other than forces, of discrete variables and of inputs.
namespace polhode::format {

inline constexpr std::string_view motion_usage =
    "(motion \"coordinate\" position|velocity|acceleration signal), for example (motion \"wheel\" velocity 10)";
inline constexpr std::string_view fast_usage = "(fast \"coordinate\" ...)";
inline constexpr std::string_view lock_usage = "(lock \"joint\" [position|velocity|acceleration])";
inline constexpr std::string_view discrete_usage = "(discrete \"name\" value)";
inline constexpr std::string_view input_usage = "(input \"name\" [default] [(limits low high)])";
/// Two numbers: the least and the most.
std::optional<Range> take_range(Arguments& arguments, std::string_view unit = {});
void read_motion(Arguments& arguments, MechanismBuilder& builder);
void read_fast(Arguments& arguments, MechanismBuilder& builder);
void read_lock(Arguments& arguments, MechanismBuilder& builder);
void read_discrete(Arguments& arguments, MechanismBuilder& builder);
void read_input(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
