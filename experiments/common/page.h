#pragma once
#include "record.h"

/// All that the experiments found, as one page.
namespace polhode::experiments {

/// What a page says besides the records.
struct PageContext {
  std::string processor, compiler, date;
  std::vector<std::string> engines, missing;  ///< with versions; only names
  std::filesystem::path out;                  ///< where the page will be: moving pictures are looked for there
};

/// The page of some experiments, in their order; a record is missing where one was never run.
std::string page_of(const PageContext& context, std::span<const Experiment* const> experiments,
                    std::span<const std::optional<Record>> records);

/// out/index.html, from the records in out.
void write_page(const std::filesystem::path& out, std::span<const Experiment* const> experiments);

}  // namespace polhode::experiments
