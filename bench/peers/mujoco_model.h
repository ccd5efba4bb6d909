#pragma once
/// What every MuJoCo peer needs: model files in a directory that goes away, and owners of what the library allocates.

#include <mujoco/mujoco.h>
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace polhode::bench::mujoco {

/// MuJoCo's parser limits how deeply elements nest in one file but not how deeply files include one another, so a chain is
/// cut into pieces of this many links, each including the next inside its last link.
inline constexpr int links_per_file = 80;

/// A directory that goes away with everything in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "polhode-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot create a scratch directory like " + pattern);
    path_ = pattern;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ModelDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DataDeleter {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using Model = std::unique_ptr<mjModel, ModelDeleter>;
using Data = std::unique_ptr<mjData, DataDeleter>;

inline Model load(const std::filesystem::path& file, const std::string& what) {
  std::array<char, 1000> error{};
  Model model(mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!model) throw std::runtime_error("MuJoCo does not load the " + what + ": " + error.data());
  return model;
}

}  // namespace polhode::bench::mujoco
