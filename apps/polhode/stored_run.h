#pragma once
#include "polhode/format/runs/run_file.h"
#include "view_run.h"

namespace polhode::cli {

/// A run that the viewer plays from a file.
class StoredRun final : public ViewRun {
 public:
  /// Throws std::invalid_argument when it is no run file, ModelFileError when its model cannot be read.
  StoredRun(const std::string& file, std::string label, std::size_t most_bytes);
  ~StoredRun() override { stop(); }
  const Mechanism& mechanism() const override { return model_.mechanism; }
  nlohmann::json summary() const override;

 private:
  std::string make(RunFeed& feed) override;
  std::string why_it_ends_early() const;

  format::RunFile run_;
  format::Model model_;
  std::size_t most_bytes_;
};

}  // namespace polhode::cli
