#include "polhode/format/language/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

void append_place(std::string& out, std::string_view file, const Source& where, std::string_view kind, std::string_view message,
                  const Lines& lines) {
  out += file;
  if (where.line > 0) out += fmt::format(":{}:{}", where.line, where.column);
  out += ": ";
  out += kind;
  for (const char c : message) out += (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F ? '?' : c;
  out += '\n';
  if (where.line > 0) out += excerpt(lines.at(where.line), where.column);
}

}  // namespace

std::string render(const std::vector<Problem>& problems, std::string_view text, std::string_view file, Severity severity) {
  std::vector<const Problem*> shown;
  for (const Problem& problem : problems) shown.push_back(&problem);
  std::stable_sort(shown.begin(), shown.end(), [](const Problem* a, const Problem* b) {
    return std::pair(a->where.line, a->where.column) < std::pair(b->where.line, b->where.column);
  });
  const std::size_t left_out = shown.size() > most_shown ? shown.size() - most_shown : 0;
  shown.resize(shown.size() - left_out);

  Lines lines;
  for (const Problem* problem : shown) {
    if (problem->where.line > 0) lines[problem->where.line];
    if (problem->other.line > 0) lines[problem->other.line];
  }
  find_lines(text, lines);

  std::string out;
  for (const Problem* problem : shown) {
    append_place(out, file, problem->where, severity == Severity::warning ? "warning: " : "", problem->message, lines);
    if (problem->other.line > 0) {
      append_place(out, file, problem->other, "note: ", problem->other_note.empty() ? "the other place" : problem->other_note,
                   lines);
    }
  }
  if (left_out > 0) {
    out += fmt::format("{}: and {} more {}{}\n", file, left_out, severity == Severity::warning ? "warning" : "mistake",
                       left_out == 1 ? "" : "s");
  }
  if (!out.empty()) out.pop_back();  // the last end of line is the caller's
  return out;
}

}  // namespace polhode::format
