#pragma once
#include <optional>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/curve.h"

/// Functions of one coordinate as text.
namespace polhode::format {

inline constexpr std::string_view curve_usage =
    "(sine amplitude frequency [phase] [offset]), (table (x y) (x y) ... [(closed)]), (sum FUNCTION ...)";
/// The coefficients c0 c1 ... of a polynomial, or one of the forms.
std::optional<Curve> take_curve(Arguments& arguments);

}  // namespace polhode::format
