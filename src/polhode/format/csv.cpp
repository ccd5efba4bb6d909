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
    : file_(file), columns_(mechanism, std::move(tracked_frames)) {
  errno = 0;
  out_.open(file, std::ios::binary);
  if (!out_)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", file.string(), errno != 0 ? std::strerror(errno) : "unknown reason"));
  for (const Column& column : columns_.list()) {
    if (!line_.empty()) line_ += ',';
    line_ += csv_field(column.name);
  }
  end_line();
}

void CsvWriter::put(double value) {
  if (!line_.empty()) line_ += ',';
  fmt::format_to(std::back_inserter(line_), "{}", value);
}

void CsvWriter::end_line() {
  line_ += '\n';
  out_ << line_;
  line_.clear();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

void CsvWriter::write(const State& state) {
  if (&state.mechanism().bodies() != &columns_.mechanism().bodies())
    throw std::invalid_argument(fmt::format("{}: the state is of another mechanism than the table", file_.string()));
  for (const double value : columns_.row(state)) put(value);
  end_line();
}

void CsvWriter::close() {
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

}  // namespace polhode::format
