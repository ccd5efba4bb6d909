#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/problem.h"

namespace polhode::format {

/// The texts that a model's words come from besides its own, and how each got there. Lines are numbered through all of them:
/// those of the model's own text first, then those of a text once more for every time that it is included, used or repeated.
/// So a Source says by its line alone which text it is in, and by which way.
struct SourceTexts {
  struct File {
    std::string name;
    std::string text;
  };
  /// Words of one text that were included, used or repeated at one place.
  struct Origin {
    int file = -1;         ///< index in files; -1 is the model's own text
    Source from{};         ///< the form that brought them
    std::string how{};     ///< in a few words: `included here`
    int lines_before = 0;  ///< numbers of lines that others have
    int instance = 0;      ///< of a submodel (expansion.h)
  };
  std::deque<File> files;  ///< a deque: words refer to the texts
  std::vector<Origin> origins{{}};
  int num_lines = 0;  ///< of all so far

  /// The index of the origin that has the line.
  int origin_of(int line) const;
};

/// How many lines a text has.
int count_lines(std::string_view text);

}  // namespace polhode::format
