#pragma once
#include <functional>
#include <string>

#include "polhode/mechanism/event_spec.h"

namespace polhode::format {

/// How the writer of a model writes numbers, names and free text; it notes what cannot be written.
struct WordWriter {
  std::function<std::string(double)> number;
  std::function<std::string(const std::string&)> name, text;
};

/// `(event "name" (when ...) ...)`.
std::string event_text(const EventSpec& event, const WordWriter& words);

}  // namespace polhode::format
