#include "polhode/format/runs/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "polhode/format/language/utf8.h"
#include "polhode/format/runs/h5.h"
#include "polhode/format/runs/h5_driver.h"
#include "polhode/format/runs/run_file_layout.h"
#include "polhode/mechanism/problem.h"

namespace polhode::format {
namespace {

using std::filesystem::path;

/// Not a fault of HDF5, but of what is in the file.
class NotARun : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require_file(const path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument(fmt::format("{}: {}", file.string(), why)); };
  if (!std::filesystem::exists(status)) refuse("there is no such file");
  if (!std::filesystem::is_regular_file(status)) refuse("is not a regular file, so it is not a run file");
  if (!std::ifstream(file, std::ios::binary)) refuse("cannot be read; check its permissions");
  if (!is_hdf5(file)) refuse("is not an HDF5 file; `polhode run MODEL --out FILE.h5` writes one");
}

RunRecord::Words words_of(hid_t file, const char* group) {
  RunRecord::Words words;
  const h5::Id made = h5::open_group(file, group);
  for (const std::string& name : h5::attribute_names(*made)) words.emplace_back(name, h5::text_attribute(*made, name));
  return words;
}

void require_run(hid_t file) {
  if (!h5::has_attribute(file, "format") || h5::text_attribute(file, "format") != run_file::format_name)
    throw NotARun("is an HDF5 file, but not a run of polhode");
  const double version = h5::number_attribute(file, "format_version");
  if (version != run_file::format_version)
    throw NotARun(fmt::format("is a run file of format {:g}, written by polhode {}; this one reads format {}", version,
                              h5::has_attribute(file, "version") ? h5::text_attribute(file, "version") : "?",
                              run_file::format_version));
}

RunRecord record_of(hid_t file) {
  RunRecord r;
  r.version = h5::text_attribute(file, "version");
  r.method = h5::text_attribute(file, "method");
  r.model_text = h5::text_attribute(file, "model");
  r.model_name = h5::text_attribute(file, "model_name");
  r.date = h5::text_attribute(file, "date");
  r.command_line = h5::text_attribute(file, "command_line");
  r.tracked = h5::texts_attribute(file, "tracked");
  r.options = words_of(file, "options");
  r.settings = words_of(file, "settings");
  const h5::Id parameters = h5::open_group(file, "parameters");
  for (const std::string& name : h5::attribute_names(*parameters))
    r.parameters.emplace_back(name, h5::number_attribute(*parameters, name));
  const h5::Id files = h5::open_group(file, "model_files");
  for (int i = 1; h5::has(*files, std::to_string(i)); ++i) {
    const h5::Id one = h5::open_dataset(*files, std::to_string(i));
    r.model_files.push_back({h5::text_attribute(*one, "name"), h5::read_bytes(*one)});
  }
  const h5::Id end = h5::open_dataset(file, "time_end");
  if (H5Sget_simple_extent_npoints(*h5::Id(H5Dget_space(*end), H5Sclose, "time_end")) != 1) throw NotARun("is damaged");
  h5::require(H5Dread(*end, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &r.time_end), "time_end");
  if (!std::isfinite(r.time_end)) throw NotARun("is damaged: its end time is not a number");
  return r;
}

RunState state_of(hid_t file) {
  const h5::Id state = h5::open_dataset(file, "state");
  const h5::Id type(H5Dget_type(*state), H5Tclose, "state"), space(H5Dget_space(*state), H5Sclose, "state");
  if (H5Tget_class(*type) != H5T_STRING || H5Tget_size(*type) != run_file::state_length ||
      H5Sget_simple_extent_npoints(*space) != 1)
    throw NotARun("is damaged: it has no state");
  std::array<char, run_file::state_length + 1> text{};
  h5::require(H5Dread(*state, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "state");
  for (const RunState known : {RunState::running, RunState::finished, RunState::failed})
    if (std::string_view(text.data()) == name(known)) return known;
  throw NotARun(fmt::format("is damaged: its state is {}", format::quoted(text.data())));
}

std::string text_of(hid_t file, const char* name) {
  std::string text = h5::read_bytes(*h5::open_dataset(file, name));
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<Column> columns_of(hid_t file) {
  const auto names = h5::texts(file, "columns"), units = h5::texts(file, "units");
  if (names.size() != units.size() || names.empty() || names.front() != "t")
    throw NotARun(fmt::format("is damaged: it has {} columns and {} units of them", names.size(), units.size()));
  std::vector<Column> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], units[i]});
  return columns;
}

}  // namespace

bool is_hdf5(const path& file) {
  constexpr std::array<char, 8> signature{char(0x89), 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  std::array<char, 8> bytes{};
  std::ifstream stream(file, std::ios::binary);
  return stream.read(bytes.data(), bytes.size()) && bytes == signature;
}

struct RunFile::Impl {
  path name;
  bool being_written = false;
  h5::Id file, trajectory;
  RunRecord record;
  RunState state = RunState::running;
  std::string message, summary;
  std::vector<Column> columns;
  hsize_t rows = 0;

  void open() {
    being_written = h5::is_being_written(name.c_str());
    const h5::Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
    h5::use_driver(*access);
    file = {H5Fopen(name.c_str(), H5F_ACC_RDONLY, *access), H5Fclose, "opening"};
    require_run(*file);
    record = record_of(*file);
    state = state_of(*file);
    message = text_of(*file, "message");
    summary = text_of(*file, "summary");
    columns = columns_of(*file);
    trajectory = h5::open_dataset(*file, "trajectory");
    const h5::Id type(H5Dget_type(*trajectory), H5Tclose, "trajectory");
    const auto sizes = h5::extent(*trajectory, 2);
    if (H5Tget_class(*type) != H5T_FLOAT) throw NotARun("is damaged: its table is not of floating-point numbers");
    if (sizes[1] != columns.size())
      throw NotARun(fmt::format("is damaged: its table has {} columns, but {} names of them", sizes[1], columns.size()));
    rows = sizes[0];
    if (H5Dget_storage_size(*trajectory) / sizeof(double) / std::max<std::size_t>(columns.size(), 1) < rows)
      throw NotARun(fmt::format("is damaged: its table claims {} rows, more than the file holds", rows));
  }

  std::vector<double> block(hsize_t row, hsize_t column, hsize_t height, hsize_t width) const {
    const h5::Quiet quiet;
    std::vector<double> values(std::size_t(height * width));
    if (values.empty()) return values;
    const hsize_t first[] = {row, column}, count[] = {height, width};
    try {
      const h5::Id space(H5Dget_space(*trajectory), H5Sclose, "a data space");
      const h5::Id memory(H5Screate_simple(2, count, nullptr), H5Sclose, "a data space");
      h5::require(H5Sselect_hyperslab(*space, H5S_SELECT_SET, first, nullptr, count, nullptr), "choosing rows");
      h5::require(H5Dread(*trajectory, H5T_NATIVE_DOUBLE, *memory, *space, H5P_DEFAULT, values.data()), "reading rows");
    } catch (const std::runtime_error& error) {
      throw std::invalid_argument(fmt::format("{}: is damaged: {}", name.string(), error.what()));
    }
    return values;
  }
};

RunFile::RunFile(const path& file) : impl_(std::make_unique<Impl>()) {
  require_file(file);
  const h5::Quiet quiet;
  h5::last_error() = 0;
  impl_->name = file;
  try {
    impl_->open();
  } catch (const NotARun& error) {
    throw std::invalid_argument(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format("{}: is damaged, or cut short: {}", file.string(), error.what()));
  }
}

RunFile::~RunFile() = default;
RunFile::RunFile(RunFile&&) noexcept = default;

const RunRecord& RunFile::record() const { return impl_->record; }
RunState RunFile::state() const { return impl_->state; }
const std::string& RunFile::message() const { return impl_->message; }
const std::string& RunFile::summary() const { return impl_->summary; }
bool RunFile::is_being_written() const { return impl_->being_written; }
const std::vector<Column>& RunFile::columns() const { return impl_->columns; }
std::size_t RunFile::rows() const { return std::size_t(impl_->rows); }

int RunFile::find(std::string_view name) const {
  const auto found =
      std::find_if(impl_->columns.begin(), impl_->columns.end(), [&](const Column& column) { return column.name == name; });
  return found == impl_->columns.end() ? -1 : int(found - impl_->columns.begin());
}

std::vector<double> RunFile::column(std::string_view name) const {
  if (const int index = find(name); index >= 0) return column(index);
  std::vector<std::string> names;
  for (const Column& one : impl_->columns) names.push_back(one.name);
  throw std::invalid_argument(fmt::format("{}: there is no column {}{}", impl_->name.string(),
                                          format::quoted(std::string(name)), suggestion(std::string(name), names, "columns")));
}

std::vector<double> RunFile::column(int index) const {
  if (index < 0 || std::size_t(index) >= impl_->columns.size())
    throw std::out_of_range(fmt::format("column no. {} was requested, but there are {}", index, impl_->columns.size()));
  return impl_->block(0, hsize_t(index), impl_->rows, 1);
}

std::vector<double> RunFile::read(std::size_t first, std::size_t count) const {
  if (first > rows() || count > rows() - first)
    throw std::out_of_range(fmt::format("rows {} to {} were requested, but there are {}", first, first + count, rows()));
  return impl_->block(first, 0, count, impl_->columns.size());
}

Model RunFile::model() const {
  return read_kept_model(impl_->record.model_text, impl_->record.model_name, impl_->record.model_files,
                         impl_->record.parameters);
}

void RunFile::load(std::size_t row, State& state) const {
  const Mechanism& mechanism = state.mechanism();
  const std::size_t nq = std::size_t(mechanism.num_q()), nu = std::size_t(mechanism.num_u());
  if (impl_->columns.size() < 1 + nq + nu)
    throw std::invalid_argument(fmt::format("{}: its rows have {} numbers, too few for a model of {} coordinates and {} speeds",
                                            impl_->name.string(), impl_->columns.size(), nq, nu));
  const std::vector<double> values = read(row, 1);
  state.set_time(values[0]);
  state.set_q(std::span(values).subspan(1, nq));
  state.set_u(std::span(values).subspan(1 + nq, nu));
}

std::optional<RunCheckpoint> RunFile::checkpoint() const {
  const h5::Quiet quiet;
  std::optional<run_file::SealedCheckpoint> latest;
  try {
    for (const char* slot : run_file::checkpoint_slots) {
      const auto found = run_file::unsealed(h5::read_bytes(*h5::open_dataset(*impl_->file, slot)));
      if (found && found->checkpoint.rows <= impl_->rows && (!latest || found->number > latest->number)) latest = found;
    }
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format("{}: is damaged: {}", impl_->name.string(), error.what()));
  }
  if (!latest) return std::nullopt;
  return latest->checkpoint;
}

}  // namespace polhode::format
