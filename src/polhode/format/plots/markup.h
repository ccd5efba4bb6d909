#pragma once
#include <string>
#include <string_view>

/// Text for HTML and SVG pages.
namespace polhode::format {

/// The text with everything replaced that markup would read as its own, or that a page may not contain: control characters and
/// what is not UTF-8 become U+FFFD.
std::string for_markup(std::string_view text);

/// A number in ASCII as it is printed: with a real minus sign, and powers of ten written out: -1.5e-06 is −1.5×10⁻⁶. Other text
/// stays as it is. Not yet escaped, and needs none.
std::string typographic(std::string_view number);

/// 10 to a power, with raised digits.
std::string power_of_ten(int exponent);

}  // namespace polhode::format
