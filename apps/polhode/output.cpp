#include "output.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "polhode/format/language/writer.h"
#include "polhode/format/runs/csv.h"
#include "polhode/study/start_from.h"
#include "polhode/tree/realize.h"

namespace polhode::cli {

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: cannot be written", file));
}

void write_start(const std::string& file, State& state) {
  if (file.ends_with(".pol")) return write_text(file, format::write_model(study::start_from(state)));
  format::CsvWriter csv(file, state.mechanism(), {});
  tree::realize(state, Stage::velocity);
  csv.write(state);
  csv.close();
}

}  // namespace polhode::cli
