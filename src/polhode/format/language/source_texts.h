#pragma once
#include <deque>
#include <string>
#include <vector>

#include "polhode/mechanism/problem.h"

namespace polhode::format {

/// The texts that a model's words come from besides its own, and how each got there. Source::origin is an index here.
struct SourceTexts {
  struct File {
    std::string name;
    std::string text;
  };
  /// Words of one file that were included, used or repeated at one place.
  struct Origin {
    int file = 0;       ///< index in files; -1 is the model's own text
    Source from{};      ///< the form that brought them
    std::string how{};  ///< in a few words: `included here`
  };
  std::deque<File> files;  ///< a deque: words refer to the texts
  std::vector<Origin> origins{{.file = -1}};

  const Origin& of(const Source& place) const { return origins[std::size_t(place.origin)]; }
};

}  // namespace polhode::format
