#pragma once
#include <functional>
#include <string>

#include "polhode/mechanism/law.h"

namespace polhode::format {

/// How the parts of a law that other forms have too are written.
struct LawTexts {
  std::function<std::string(double)> number;
  std::function<std::string(const std::string&)> name;
  std::function<std::string(const Signal&)> signal;
};

/// A law as text that reads back to an equal one. Throws std::length_error where it would be nested deeper, or be longer, than
/// a reader takes; only laws that were made in code are.
std::string law_text(const Law& law, const LawTexts& texts);

}  // namespace polhode::format
