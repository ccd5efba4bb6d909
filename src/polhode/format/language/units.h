#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace polhode::format {

/// Powers of the units that quantities of mechanics are made of.
struct Dimension {
  int kg = 0, m = 0, s = 0, rad = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
  Dimension operator*(const Dimension& b) const { return {kg + b.kg, m + b.m, s + b.s, rad + b.rad}; }
  Dimension to_the(int power) const { return {power * kg, power * m, power * s, power * rad}; }
  /// Radians are a ratio of lengths: beside other units they come and go.
  bool is_like(const Dimension& b) const { return kg == b.kg && m == b.m && s == b.s; }
  bool is_ratio() const { return is_like({}); }
};

/// Of a unit as tables of fields have it: "N s/m", "kg m^2". Nothing where a word in it is no unit.
std::optional<Dimension> dimension_of_unit(std::string_view unit);
/// "kg m/s^2"; "a plain number" where there is no unit.
std::string to_text(const Dimension& dimension);
/// Whether a quantity may stand where one in the unit is expected; alternatives stand with commas between: "N, N m".
bool fits(const Dimension& said, std::string_view unit);

}  // namespace polhode::format
