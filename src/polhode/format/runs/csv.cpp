#include "polhode/format/runs/csv.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace polhode::format {

std::string csv_field(const std::string& name) {
  const bool blank_ends = name.starts_with(' ') || name.ends_with(' ');
  if (!blank_ends && name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

FileLock::FileLock(const std::filesystem::path& file) {
  std::error_code none;
  if (const auto status = std::filesystem::status(file, none);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return;
  descriptor_ = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw std::invalid_argument(
      fmt::format("{}: another run is writing this file; name another one, or wait until that run has ended", file.string()));
}
FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

CsvWriter::CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames,
                     const std::vector<study::Quantity>& recorded)
    : file_(file), lock_(file), columns_(mechanism, std::move(tracked_frames), Columns::Momentum::left_out, recorded) {
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
    throw std::invalid_argument(fmt::format("{}: the state belongs to another mechanism than the table", file_.string()));
  for (const double value : columns_.row(state)) put(value);
  end_line();
}

void CsvWriter::close() {
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

}  // namespace polhode::format
