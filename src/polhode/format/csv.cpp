#include "polhode/format/csv.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace polhode::format {

namespace {

/// Before the file is opened, which empties it.
std::vector<int> checked(std::vector<int> frames, const Mechanism& mechanism) {
  for (const int frame : frames)
    if (frame < 0 || frame >= int(mechanism.frames().size()))
      throw std::out_of_range(
          fmt::format("frame no. {} was asked for, but there are {}, counted from 0", frame, mechanism.frames().size()));
  return frames;
}

}  // namespace

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

CsvWriter::CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames)
    : mechanism_(mechanism),
      file_(file),
      tracked_(checked(std::move(tracked_frames), mechanism)),
      constraints_(mechanism),
      workspace_(mechanism),
      errors_(constraints_.num_rows()) {
  errno = 0;
  out_.open(file, std::ios::binary);
  if (!out_)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", file.string(), errno != 0 ? std::strerror(errno) : "unknown reason"));
  line_ = "t";
  const auto column = [&](const std::string& name) { line_ += ',' + csv_field(name); };
  for (const auto& name : mechanism.coordinate_names()) column(name);
  for (const auto& name : mechanism.speed_names()) column(name);
  for (const char* name : {"kinetic", "potential", "energy", "constraint"}) column(name);
  for (const int frame : tracked_)
    for (const char* axis : {".x", ".y", ".z"}) column(mechanism.frames()[frame].name + axis);
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

/// The largest, by size.
double CsvWriter::constraint_error(const State& state) {
  if (errors_.empty()) return 0;
  tree::positions(workspace_, state.q());
  constraints_.errors(workspace_, state.time(), state.q(), errors_);
  double largest = 0;
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (state.is_enabled(constraints_.element(int(i)))) largest = std::max(largest, std::abs(errors_[i]));
  return largest;
}

void CsvWriter::write(const State& state) {
  if (&state.mechanism().bodies() != &mechanism_.bodies())
    throw std::invalid_argument(fmt::format("{}: the state is of another mechanism than the table", file_.string()));
  put(state.time());
  for (const double q : state.q()) put(q);
  for (const double u : state.u()) put(u);
  put(state.kinetic_energy());
  put(state.potential_energy());
  put(state.energy());
  put(constraint_error(state));
  for (const int frame : tracked_) {
    const Vec3<double> p = state.frame_pose(frame).p;
    put(p.x), put(p.y), put(p.z);
  }
  end_line();
}

void CsvWriter::close() {
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file_.string()));
}

}  // namespace polhode::format
