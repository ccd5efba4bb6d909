#include "polhode/format/csv.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace polhode::format {

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

CsvWriter::CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames)
    : table_(mechanism, std::move(tracked_frames)), file_(file) {
  errno = 0;
  out_.open(file, std::ios::binary);
  if (!out_)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", file.string(), errno != 0 ? std::strerror(errno) : "unknown reason"));
  for (const Column& column : table_.columns()) line_ += (line_.empty() ? "" : ",") + csv_field(column.name);
  end_line();
}

void CsvWriter::end_line() {
  line_ += '\n';
  out_ << line_;
  line_.clear();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

void CsvWriter::write(const State& state) {
  for (const double value : table_.row(state)) {
    if (!line_.empty()) line_ += ',';
    fmt::format_to(std::back_inserter(line_), "{}", value);
  }
  end_line();
}

void CsvWriter::close() {
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

}  // namespace polhode::format
