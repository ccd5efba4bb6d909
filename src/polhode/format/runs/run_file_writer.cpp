#include "polhode/format/runs/run_file_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include "polhode/format/runs/columns.h"
#include "polhode/format/runs/h5.h"
#include "polhode/format/runs/h5_driver.h"
#include "polhode/format/runs/run_file_layout.h"

namespace polhode::format {
namespace {

using Clock = std::chrono::steady_clock;
using std::filesystem::path;
constexpr std::chrono::milliseconds checkpoint_time{500}, flush_time{900};
constexpr hsize_t chunk_bytes = hsize_t(1) << 18, page = 4096;
constexpr std::size_t most_gathered = std::size_t(1) << 20;  // bytes of rows

/// Metadata in whole pages, which the system writes in one piece.
h5::Id access_properties() {
  h5::Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
  h5::use_driver(*access);
  h5::require(H5Pset_libver_bounds(*access, H5F_LIBVER_V110, H5F_LIBVER_V110), "properties");
  h5::require(H5Pset_alignment(*access, page / 2, page), "properties");
  h5::require(H5Pset_meta_block_size(*access, page), "properties");
  h5::require(H5Pset_sieve_buf_size(*access, 0), "properties");
  h5::require(H5Pset_metadata_read_attempts(*access, 1), "properties");  // else what is damaged is read again and again
  return access;
}

/// A number or a short text that is written over in place.
h5::Id create_scalar(hid_t parent, const char* name, hid_t type) {
  const h5::Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name), space(H5Screate(H5S_SCALAR), H5Sclose, name);
  h5::require(H5Pset_alloc_time(*creation, H5D_ALLOC_TIME_EARLY), name);
  return {H5Dcreate2(parent, name, type, *space, H5P_DEFAULT, *creation, H5P_DEFAULT), H5Dclose, name};
}

h5::Id state_type() {
  h5::Id type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  h5::require(H5Tset_size(*type, run_file::state_length), "a type");
  h5::require(H5Tset_cset(*type, H5T_CSET_UTF8), "a type");
  return type;
}

void put_words(hid_t file, const char* group, const RunRecord::Words& words) {
  const h5::Id made = h5::create_group(file, group);
  for (const auto& [name, value] : words)
    if (!h5::has_attribute(*made, name)) h5::put_attribute(*made, name, value);
}

void put_record(hid_t file, const RunRecord& r) {
  h5::put_attribute(file, "format", run_file::format_name);
  h5::put_attribute(file, "format_version", run_file::format_version);
  h5::put_attribute(file, "version", r.version);
  h5::put_attribute(file, "method", r.method);
  h5::put_attribute(file, "model", r.model_text);
  h5::put_attribute(file, "model_name", r.model_name);
  h5::put_attribute(file, "units", run_file::units);
  h5::put_attribute(file, "date", r.date);
  h5::put_attribute(file, "command_line", r.command_line);
  h5::put_attribute(file, "tracked", r.tracked);
  put_words(file, "options", r.options);
  put_words(file, "settings", r.settings);
  const h5::Id parameters = h5::create_group(file, "parameters");
  for (const auto& [name, value] : r.parameters) h5::put_attribute(*parameters, name, value);
  const h5::Id files = h5::create_group(file, "model_files");
  for (std::size_t i = 0; i < r.model_files.size(); ++i) {
    const h5::Id one = h5::create_bytes(*files, std::to_string(i + 1), page);  // by number: names may hold slashes
    h5::put_attribute(*one, "name", r.model_files[i].name);
    h5::write_bytes(*one, r.model_files[i].text);
  }
}

void create_table(hid_t file, const std::vector<Column>& columns) {
  const h5::Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
  const hsize_t width = columns.size();
  const hsize_t now[] = {0, width}, most[] = {H5S_UNLIMITED, width};
  const hsize_t chunk[] = {std::max<hsize_t>(1, chunk_bytes / (sizeof(double) * width)), width};
  h5::require(H5Pset_chunk(*creation, 2, chunk), "properties");
  h5::require(H5Pset_fill_time(*creation, H5D_FILL_TIME_NEVER), "properties");
  const h5::Id space(H5Screate_simple(2, now, most), H5Sclose, "a data space");
  const h5::Id table(H5Dcreate2(file, "trajectory", H5T_IEEE_F64LE, *space, H5P_DEFAULT, *creation, H5P_DEFAULT), H5Dclose,
                     "making the table");
  std::vector<std::string> names, units;
  for (const Column& column : columns) names.push_back(column.name), units.push_back(column.unit);
  h5::put_texts(file, "columns", names);
  h5::put_texts(file, "units", units);
}

[[noreturn]] void refuse(const path& file, const std::exception& why) {
  if (h5::last_error() == h5::locked_by_other)
    throw std::invalid_argument(
        fmt::format("{}: another process is writing to it now; wait until it ends, or name another file", file.string()));
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", file.string(), why.what()));
}

}  // namespace

struct RunFileWriter::Impl {
  path file_name;
  Columns table;
  std::size_t width;
  h5::Id file, trajectory, state, time_end, message, summary;
  std::array<h5::Id, 2> slots;
  std::vector<double> gathered;
  hsize_t rows = 0;          // in the file; more are gathered
  std::uint64_t number = 0;  // of the last checkpoint
  Clock::time_point flushed = Clock::now(), saved = Clock::now();

  Impl(const path& name, const Mechanism& mechanism, std::vector<int> tracked, const std::vector<study::Quantity>& recorded)
      : file_name(name), table(mechanism, std::move(tracked), Columns::Momentum::left_out, recorded), width(table.size()) {
    h5::last_error() = 0;
  }
  ~Impl() {
    const h5::Quiet quiet;
    for (h5::Id* id : {&trajectory, &state, &time_end, &message, &summary, &slots[0], &slots[1], &file}) id->reset();
  }

  hsize_t all_rows() const { return rows + gathered.size() / width; }

  void create(const RunRecord& record);
  void reopen(const RunCheckpoint& from, double end);
  void open_datasets();
  void put_state(RunState now);
  void put_end(double time);
  void put_text(const h5::Id& dataset, std::string text);
  void flush();
  void checkpoint(const std::string& bytes);
  void finish(RunState how, const std::string& why, const std::string& json);

  /// What goes wrong in HDF5 is told with the file's name; a full disk is the usual cause.
  template <class Work>
  void guarded(Work work) {
    const h5::Quiet quiet;
    try {
      work();
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(
          fmt::format("{}: writing failed: {}; what was written before can be read", file_name.string(), error.what()));
    }
  }
};

void RunFileWriter::Impl::create(const RunRecord& record) {
  std::error_code ignored;
  const bool special = std::filesystem::exists(file_name, ignored) && !std::filesystem::is_regular_file(file_name, ignored);
  if (!special && h5::is_being_written(file_name.c_str())) h5::last_error() = h5::locked_by_other, h5::require(-1, "opening");
  if (std::filesystem::is_symlink(file_name, ignored) && !special)  // what it points to is replaced, not the link
    file_name = std::filesystem::weakly_canonical(file_name);
  const path first_name = special ? file_name : path(file_name.string() + ".part");
  file = {H5Fcreate(first_name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, *access_properties()), H5Fclose, "opening"};
  try {
    put_record(*file, record);
    create_table(*file, table.list());
    const h5::Id group = h5::create_group(*file, "checkpoint");
    const hsize_t bytes = sizeof(double) * table.size();
    for (const char* slot : run_file::checkpoint_slots) h5::create_bytes(*file, slot, std::max<hsize_t>(page, 4 * bytes));
    for (const char* text : {"message", "summary"}) h5::create_bytes(*file, text, page);
    create_scalar(*file, "state", *state_type());
    create_scalar(*file, "time_end", H5T_IEEE_F64LE);
    open_datasets();
    put_state(RunState::running);
    put_end(record.time_end);
    h5::require(H5Fflush(*file, H5F_SCOPE_GLOBAL), "writing");
    h5::require(H5Fstart_swmr_write(*file), "writing");
    if (!special) std::filesystem::rename(first_name, file_name);
  } catch (...) {
    if (!special) std::filesystem::remove(first_name, ignored);
    throw;
  }
}

void RunFileWriter::Impl::reopen(const RunCheckpoint& from, double end) {
  file = {H5Fopen(file_name.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, *access_properties()), H5Fclose, "opening"};
  open_datasets();
  const auto sizes = h5::extent(*trajectory, 2);
  if (sizes[1] != width) throw std::runtime_error(fmt::format("its table has {} columns, the model {}", sizes[1], width));
  if (sizes[0] < from.rows) throw std::runtime_error(fmt::format("its table has {} rows, of {}", sizes[0], from.rows));
  rows = from.rows;
  for (const h5::Id& slot : slots)
    if (const auto found = run_file::unsealed(h5::read_bytes(*slot))) number = std::max(number, found->number);
  put_end(end);
  put_text(message, "");
  put_text(summary, "");
  put_state(RunState::running);
}

void RunFileWriter::Impl::open_datasets() {
  trajectory = h5::open_dataset(*file, "trajectory");
  state = h5::open_dataset(*file, "state");
  time_end = h5::open_dataset(*file, "time_end");
  message = h5::open_dataset(*file, "message");
  summary = h5::open_dataset(*file, "summary");
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = h5::open_dataset(*file, run_file::checkpoint_slots[i]);
}

void RunFileWriter::Impl::put_state(RunState now) {
  std::array<char, run_file::state_length> text{};
  const std::string_view word = name(now);
  std::copy(word.begin(), word.end(), text.begin());
  h5::require(H5Dwrite(*state, *state_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "writing the state");
  h5::require(H5Dflush(*state), "writing the state");
}

void RunFileWriter::Impl::put_end(double time) {
  h5::require(H5Dwrite(*time_end, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &time), "writing the end time");
  h5::require(H5Dflush(*time_end), "writing the end time");
}

/// Lists of bytes do not shrink here: blanks take the place of what a longer text left.
void RunFileWriter::Impl::put_text(const h5::Id& dataset, std::string text) {
  text.resize(std::max(text.size(), std::size_t(h5::extent(*dataset, 1).front())), ' ');
  h5::write_bytes(*dataset, text);
  h5::require(H5Dflush(*dataset), "writing");
}

void RunFileWriter::Impl::flush() {
  flushed = Clock::now();
  const hsize_t added = gathered.size() / width;
  if (added == 0) return;
  const hsize_t first[] = {rows, 0}, count[] = {added, width}, in_all[] = {rows + added, width};
  if (h5::extent(*trajectory, 2).front() < in_all[0]) h5::require(H5Dset_extent(*trajectory, in_all), "growing the table");
  const h5::Id space(H5Dget_space(*trajectory), H5Sclose, "a data space");
  const h5::Id memory(H5Screate_simple(2, count, nullptr), H5Sclose, "a data space");
  h5::require(H5Sselect_hyperslab(*space, H5S_SELECT_SET, first, nullptr, count, nullptr), "choosing rows");
  h5::require(H5Dwrite(*trajectory, H5T_NATIVE_DOUBLE, *memory, *space, H5P_DEFAULT, gathered.data()), "writing rows");
  h5::require(H5Dflush(*trajectory), "writing rows");
  rows += added;
  gathered.clear();
}

void RunFileWriter::Impl::checkpoint(const std::string& bytes) {
  flush();
  saved = Clock::now();
  ++number;
  const h5::Id& slot = slots[number % slots.size()];
  h5::write_bytes(*slot, run_file::sealed(number, {rows, bytes}));
  h5::require(H5Dflush(*slot), "writing a checkpoint");
}

void RunFileWriter::Impl::finish(RunState how, const std::string& why, const std::string& json) {
  flush();
  // A run that was resumed, and then ended earlier than before.
  const hsize_t in_all[] = {rows, width};
  if (h5::extent(*trajectory, 2).front() > rows) h5::require(H5Dset_extent(*trajectory, in_all), "shortening the table");
  put_text(message, why);
  put_text(summary, json);
  put_state(how);
  for (h5::Id* id : {&trajectory, &state, &time_end, &message, &summary, &slots[0], &slots[1]})
    h5::require(id->reset(), "closing");
  h5::require(file.reset(), "closing");
}

RunFileWriter::RunFileWriter(const path& file, const RunRecord& record, const Mechanism& mechanism, std::vector<int> tracked,
                             const std::vector<study::Quantity>& recorded)
    : impl_(std::make_unique<Impl>(file, mechanism, std::move(tracked), recorded)) {
  const h5::Quiet quiet;
  try {
    impl_->create(record);
  } catch (const std::runtime_error& error) {
    refuse(file, error);
  }
}

RunFileWriter::RunFileWriter(const path& file, const Mechanism& mechanism, std::vector<int> tracked, const RunCheckpoint& from,
                             double time_end, const std::vector<study::Quantity>& recorded)
    : impl_(std::make_unique<Impl>(file, mechanism, std::move(tracked), recorded)) {
  const h5::Quiet quiet;
  try {
    impl_->reopen(from, time_end);
  } catch (const std::runtime_error& error) {
    refuse(file, error);
  }
}

RunFileWriter::~RunFileWriter() = default;

void RunFileWriter::write(const State& state) {
  const auto row = impl_->table.row(state);
  impl_->gathered.insert(impl_->gathered.end(), row.begin(), row.end());
  if (impl_->gathered.size() * sizeof(double) >= most_gathered || Clock::now() - impl_->flushed > flush_time) flush();
}

std::size_t RunFileWriter::rows() const { return std::size_t(impl_->all_rows()); }

bool RunFileWriter::wants_checkpoint() const {
  return impl_->gathered.size() * sizeof(double) >= most_gathered / 2 || Clock::now() - impl_->saved > checkpoint_time;
}

void RunFileWriter::checkpoint(const std::string& bytes) {
  impl_->guarded([&] { impl_->checkpoint(bytes); });
}
void RunFileWriter::flush() {
  impl_->guarded([&] { impl_->flush(); });
}
void RunFileWriter::finish(RunState state, const std::string& message, const std::string& summary) {
  impl_->guarded([&] { impl_->finish(state, message, summary); });
}
void RunFileWriter::close() { finish(RunState::finished, "", "{}"); }

}  // namespace polhode::format
