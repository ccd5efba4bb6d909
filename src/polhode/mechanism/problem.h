#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace polhode {

/// Where in a model's text something stands. Line 0 means that it was made in code, not read from a file.
struct Source {
  int line = 0, column = 0;
};

/// One mistake in a model, told in the user's words: what, which element, why it cannot be, what to write instead.
struct Problem {
  std::string message;
  Source where;
  Source other{};  ///< a second place that takes part, such as the first of two equal names
  std::string other_note{};
};

/// Building a mechanism collects every problem it finds and throws once.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// "did you mean ...?" and the valid names, for a look-up that failed: `; did you mean "forearm"? (bodies: base, forearm)`.
std::string suggestion(const std::string& asked, const std::vector<std::string>& valid, const char* kind);

}  // namespace polhode
