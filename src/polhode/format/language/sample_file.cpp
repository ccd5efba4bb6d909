#include "polhode/format/language/sample_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "polhode/format/language/limits.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/problem.h"

namespace polhode::format {
namespace {

[[noreturn]] void refuse(std::string why) { throw std::runtime_error(std::move(why)); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string shown(std::string_view field) { return format::quoted(utf8_prefix(field, 40)); }

/// Which field to take, from 0.
std::size_t place_of(const ColumnChoice& column, const std::optional<std::vector<std::string>>& header) {
  if (const int* number = std::get_if<int>(&column)) {
    if (*number < 2) refuse(fmt::format("column {} cannot be the value: the first is time; give 2 or more", *number));
    return std::size_t(*number) - 1;
  }
  const std::string& name = std::get<std::string>(column);
  if (!header) refuse(fmt::format("the table has no header, so no column is called {}; give its number", shown(name)));
  for (std::size_t i = 1; i < header->size(); ++i)
    if ((*header)[i] == name) return i;
  if (header->front() == name) refuse(fmt::format("column {} is the first, which is time; name another", shown(name)));
  refuse(fmt::format("there is no column {}{}", shown(name),
                     suggestion(name, std::vector<std::string>(header->begin() + 1, header->end()), "columns")));
}

}  // namespace

void split_fields(std::string_view line, std::vector<std::string>& fields) {
  fields.clear();
  std::string field;
  bool quoted_now = false, quoted_ever = false;  // blanks are a field's own where it is quoted
  const auto end_field = [&] {
    fields.push_back(quoted_ever ? field : std::string(trimmed(field)));
    field.clear();
    quoted_ever = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted_now && i + 1 < line.size() && line[i + 1] == '"') {
        field += '"', ++i;
      } else {
        if (!quoted_now) field = trimmed(field);
        quoted_now = !quoted_now;
        quoted_ever = true;
      }
    } else if (line[i] == ',' && !quoted_now) {
      end_field();
    } else if (quoted_now || !quoted_ever || !is_blank(line[i])) {
      field += line[i];
    }
  }
  end_field();
}

std::optional<double> number_of_field(std::string_view field) {
  if (!field.empty() && field.front() == '+') field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool whole = error == std::errc() && end == field.data() + field.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

SampledColumn parse_column(std::string_view text, const ColumnChoice& column) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  SampledColumn out;
  std::vector<std::string> fields;
  std::optional<std::vector<std::string>> header;
  std::optional<std::size_t> place;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    split_fields(line, fields);
    if (!place) {
      const bool is_header = !number_of_field(fields.front());
      if (is_header) header = fields;
      place = place_of(column, header);
      if (is_header) continue;
    }
    if (fields.size() <= *place)
      refuse(fmt::format("line {} has {} fields, so there is no column {}", line_number, fields.size(), *place + 1));
    const auto t = number_of_field(fields.front()), x = number_of_field(fields[*place]);
    if (!t || !x)
      refuse(fmt::format("line {}: {} is not a finite number", line_number, shown(t ? fields[*place] : fields.front())));
    if (!out.times.empty() && !(out.times.back() < *t))
      refuse(fmt::format("line {}: times must increase, but {:.9g} follows {:.9g}", line_number, *t, out.times.back()));
    out.times.push_back(*t);
    out.values.push_back(*x);
  }
  if (out.times.empty()) refuse("the table has no numbers");
  return out;
}

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.empty() || name.starts_with('/') ? name : folder + "/" + name;
}

std::string read_table_text(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) refuse("there is no such file");
  if (!std::filesystem::is_regular_file(status)) refuse("it is not a regular file");
  const auto size = std::filesystem::file_size(file, error);
  if (error) refuse(fmt::format("cannot be read: {}", error.message()));
  if (size > max_text_bytes) refuse(fmt::format("it is larger than {} bytes (64 MiB), the most that is read", max_text_bytes));
  std::ifstream stream(file, std::ios::binary);
  std::string text(size, '\0');
  if (!stream.read(text.data(), std::streamsize(size))) refuse("cannot be read");
  return text;
}

SampledColumn read_column(const std::string& file, const ColumnChoice& column) {
  return parse_column(read_table_text(file), column);
}

}  // namespace polhode::format
