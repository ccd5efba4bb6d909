#include "polhode/format/language/model.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "polhode/format/language/diagnostics.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/model_recipe.h"

namespace polhode::format {
namespace {

[[noreturn]] void refuse_file(const std::string& file, const std::string& why) {
  std::vector<Problem> problems{{why, {}}};
  std::string rendered = render(problems, "", file);
  throw ModelFileError(std::move(problems), std::move(rendered));
}

}  // namespace

/// Reads at most one byte more than a model may have: files that are not regular do not tell their size beforehand.
std::string model_text(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    refuse_file(file, error && error != std::errc::no_such_file_or_directory
                          ? fmt::format("cannot be read: {}", error.message())
                          : "there is no such file");
  }
  if (std::filesystem::is_directory(status)) refuse_file(file, "is a directory; name a model file inside it");
  const auto too_big = [&] {
    refuse_file(file, fmt::format("is larger than {} bytes (64 MiB), the most a model may have", max_text_bytes));
  };
  if (std::filesystem::is_regular_file(status)) {
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > max_text_bytes) too_big();
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse_file(file, fmt::format("cannot be read: {}", errno ? std::strerror(errno) : "unknown reason"));

  std::string text;
  constexpr std::size_t chunk = std::size_t(1) << 20;
  while (stream && text.size() <= max_text_bytes) {
    const std::size_t before = text.size();
    text.resize(before + chunk);
    stream.read(text.data() + before, std::streamsize(chunk));
    text.resize(before + std::size_t(stream.gcount()));
  }
  if (stream.bad()) refuse_file(file, "cannot be read to its end");
  if (text.size() > max_text_bytes) too_big();
  return text;
}

std::string Model::rendered(const std::vector<Problem>& found) const {
  return render(found, text, file, Severity::error, texts.get());
}
std::string Model::rendered_warnings() const { return render(warnings, text, file, Severity::warning, texts.get()); }

Model read_model(const std::string& text, const std::string& file_name, std::optional<std::string> folder,
                 const ParameterValues& parameters, const std::vector<InitialValue>& initial) {
  return ModelRecipe(text, file_name, std::move(folder)).read(parameters, initial);
}

Model read_kept_model(const std::string& text, const std::string& file_name, const std::vector<ModelFile>& files,
                      const ParameterValues& parameters) {
  return ModelRecipe(text, file_name, files).read(parameters);
}

Model load_model(const std::filesystem::path& file, const ParameterValues& parameters,
                 const std::vector<InitialValue>& initial) {
  return read_model(model_text(file), file.string(), file.parent_path().string(), parameters, initial);
}

}  // namespace polhode::format
