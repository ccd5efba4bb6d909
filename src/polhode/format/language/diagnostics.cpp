#include "polhode/format/language/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr std::size_t most_shown = 20;
constexpr int width = 100;  // columns of a source line that are shown

using Lines = std::map<int, std::string_view>;

/// Finds the lines in one walk over the text, however many are wanted.
void find_lines(std::string_view text, Lines& wanted) {
  int line = 1;
  std::size_t start = 0;
  for (auto& [number, content] : wanted) {
    for (; line < number && start < text.size(); ++line) {
      const std::size_t end = text.find('\n', start);
      start = end == std::string_view::npos ? text.size() : end + 1;
    }
    if (line == number) content = text.substr(start, text.find('\n', start) - start);
  }
  if (const auto first = wanted.find(1); first != wanted.end() && first->second.starts_with("\xEF\xBB\xBF")) {
    first->second.remove_prefix(3);
  }
}

/// One entry per character, fit for a terminal: blanks for tabs, U+FFFD for what cannot be shown.
/// Only the characters from first to last (counted from 1) are made: a line may have millions.
std::string printable(std::string_view line, int first, int last) {
  std::string out;
  int column = 1;
  for (std::size_t i = 0; i < line.size() && column <= last; ++column) {
    const std::size_t length = utf8_length(line, i);
    if (column >= first) {
      const unsigned char c = static_cast<unsigned char>(line[i]);
      const bool c1_control = c == 0xC2 && length == 2 && static_cast<unsigned char>(line[i + 1]) < 0xA0;
      if (length == 1 && (c == '\t' || c == '\r')) {
        out += ' ';
      } else if (length == 0 || (length == 1 && (c < 0x20 || c == 0x7F)) || c1_control) {
        out += "\xEF\xBF\xBD";
      } else {
        out += line.substr(i, length);
      }
    }
    i += std::max<std::size_t>(length, 1);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

int count_characters(std::string_view line, int enough) {
  int n = 0;
  for (std::size_t i = 0; i < line.size() && n < enough; ++n) i += std::max<std::size_t>(utf8_length(line, i), 1);
  return n;
}

std::string excerpt(std::string_view line, int column) {
  const int first = column > width - 20 ? column - width / 2 : 1;
  const int last = first + width - 1;
  const char* cut_left = first > 1 ? "..." : "";
  const char* cut_right = count_characters(line, last + 1) > last ? "..." : "";
  const int indent = column - first + (first > 1 ? 3 : 0);
  return fmt::format("  {}{}{}\n  {:{}}^\n", cut_left, printable(line, first, last), cut_right, "", indent);
}

/// A place in one text.
struct Located {
  int file, line;  ///< -1 is the model's own text
  const SourceTexts::Origin* origin;
};

/// The texts that places are in, and the lines that are shown of them.
class Texts {
 public:
  Texts(std::string_view text, std::string_view file, const SourceTexts* others) : text_(text), file_(file), others_(others) {}

  Located locate(const Source& place) const {
    if (!others_ || others_->origins.size() < 2) return {-1, place.line, nullptr};
    const SourceTexts::Origin& origin = others_->origins[std::size_t(others_->origin_of(place.line))];
    return {origin.file, place.line - origin.lines_before, &origin};
  }
  /// Where the words are used, included or repeated; without a place for the model's own.
  Source from(const Source& place) const {
    const SourceTexts::Origin* const origin = locate(place).origin;
    return origin ? origin->from : Source{};
  }

  /// Places from the model's own text inward.
  std::vector<std::pair<int, int>> path(Source place) const {
    std::vector<std::pair<int, int>> result;
    for (; place.line > 0; place = from(place)) result.emplace_back(locate(place).line, place.column);
    std::reverse(result.begin(), result.end());
    return result;
  }

  void want(Source place) {
    for (; place.line > 0; place = from(place)) wanted_[locate(place).file][locate(place).line];
  }
  void find() {
    for (auto& [file, lines] : wanted_) find_lines(file < 0 ? text_ : others_->files[std::size_t(file)].text, lines);
  }
  std::string_view line(const Located& at) const { return wanted_.at(at.file).at(at.line); }
  std::string file(const Located& at) const {
    return at.file < 0 ? std::string(file_) : beside(others_->files[std::size_t(at.file)].name);
  }

 private:
  /// As seen from where the model's own name is seen from.
  std::string beside(const std::string& name) const {
    const std::size_t folder = file_.rfind('/');
    return name.starts_with('/') || folder == file_.npos ? name : std::string(file_.substr(0, folder + 1)) + name;
  }

  std::string_view text_, file_;
  const SourceTexts* others_;
  std::map<int, Lines> wanted_;
};

void append_place(std::string& out, const Texts& texts, const Source& where, std::string_view kind, std::string_view message) {
  const Located at = texts.locate(where);
  out += texts.file(at);
  if (where.line > 0) out += fmt::format(":{}:{}", at.line, where.column);
  out += ": ";
  out += kind;
  for (const char c : message) out += (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F ? '?' : c;
  out += '\n';
  if (where.line > 0) out += excerpt(texts.line(at), where.column);
}

void append_origins(std::string& out, const Texts& texts, Source where) {
  for (; texts.from(where).line > 0; where = texts.from(where))
    append_place(out, texts, texts.from(where), "note: ", texts.locate(where).origin->how);
}

/// In the order of their places; of those in one place of a text that is used many times, the first.
std::vector<const Problem*> in_order(const std::vector<Problem>& problems, const Texts& texts, std::size_t& repeated) {
  std::vector<std::pair<std::vector<std::pair<int, int>>, const Problem*>> sorted;
  for (const Problem& problem : problems) sorted.emplace_back(texts.path(problem.where), &problem);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Problem*> result;
  std::map<std::array<int, 3>, int> told;  // with the line of the first, as numbered through all texts
  for (const auto& [path, problem] : sorted) {
    const Source& where = problem->where;
    const Located at = texts.locate(where);
    const auto [first, is_new] = told.emplace(std::array{at.file, at.line, where.column}, where.line);
    const bool is_repeated = !is_new && first->second != where.line;
    repeated += is_repeated;
    if (!is_repeated) result.push_back(problem);
  }
  return result;
}

}  // namespace

std::string render(const std::vector<Problem>& problems, std::string_view text, std::string_view file, Severity severity,
                   const SourceTexts* others) {
  Texts texts(text, file, others);
  std::size_t repeated = 0;
  std::vector<const Problem*> shown = in_order(problems, texts, repeated);
  const std::size_t left_out = shown.size() > most_shown ? shown.size() - most_shown : 0;
  shown.resize(shown.size() - left_out);
  for (const Problem* problem : shown) {
    texts.want(problem->where);
    texts.want(problem->other);
  }
  texts.find();

  std::string out;
  for (const Problem* problem : shown) {
    append_place(out, texts, problem->where, severity == Severity::warning ? "warning: " : "", problem->message);
    append_origins(out, texts, problem->where);
    if (problem->other.line == 0) continue;
    append_place(out, texts, problem->other,
                 "note: ", problem->other_note.empty() ? "the other place" : std::string_view(problem->other_note));
  }
  const std::string what = severity == Severity::warning ? "warning" : "mistake";
  if (repeated > 0)
    out += fmt::format("{}: and {} more {}{} of these, where the same lines are used or repeated\n", file, repeated, what,
                       repeated == 1 ? "" : "s");
  if (left_out > 0) out += fmt::format("{}: and {} more {}{}\n", file, left_out, what, left_out == 1 ? "" : "s");
  if (!out.empty()) out.pop_back();  // the last end of line is the caller's
  return out;
}

}  // namespace polhode::format
