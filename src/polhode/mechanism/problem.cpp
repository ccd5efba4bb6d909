#include "polhode/mechanism/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace polhode {
namespace {

std::string place(const Source& source) {
  return source.line > 0 ? fmt::format("{}:{}", source.line, source.column) : std::string();
}

std::string one_line(const Problem& problem) {
  std::string line = place(problem.where);
  if (!line.empty()) line += ": ";
  line += problem.message;
  if (problem.other.line > 0) {
    const char* note = problem.other_note.empty() ? "see also" : problem.other_note.c_str();
    line += fmt::format(" ({} at {})", note, place(problem.other));
  }
  return line;
}

std::string all_lines(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + one_line(problem);
  return text;
}

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }

/// How many letters must be put in, left out or changed to turn a into b (Levenshtein), whatever their case.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = int(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// The name that asked was most likely meant to be, or null when none is near: one slip in three letters is forgiven.
const std::string* nearest(const std::string& asked, const std::vector<std::string>& valid) {
  const std::string* best = nullptr;
  int best_distance = int(std::max<size_t>(1, asked.size() / 3)) + 1;
  for (const std::string& name : valid) {
    const int at_least = std::abs(int(name.size()) - int(asked.size()));
    if (name.empty() || at_least >= best_distance) continue;
    const int distance = edit_distance(asked, name);
    if (distance < best_distance) best = &name, best_distance = distance;
  }
  return best;
}

}  // namespace

ModelError::ModelError(std::vector<Problem> problems)
    : std::runtime_error(all_lines(problems)), problems_(std::move(problems)) {}

std::string suggestion(const std::string& asked, const std::vector<std::string>& valid, const char* kind) {
  constexpr size_t most_listed = 12;
  if (valid.empty()) return fmt::format(" (there are no {})", kind);
  std::string text;
  if (const std::string* name = nearest(asked, valid)) text = fmt::format("; did you mean \"{}\"?", *name);
  const size_t listed = std::min(valid.size(), most_listed);
  text += fmt::format(" ({}: {}", kind, fmt::join(valid.begin(), valid.begin() + std::ptrdiff_t(listed), ", "));
  if (listed < valid.size()) text += fmt::format(" and {} more", valid.size() - listed);
  return text + ")";
}

}  // namespace polhode
