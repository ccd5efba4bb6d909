#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "browser.h"
#include "commands.h"
#include "interrupt_pipe.h"
#include "load.h"
#include "polhode/study/method_options.h"
#include "polhode/study/quantity.h"
#include "polhode/study/simulate.h"
#include "print_json.h"
#include "progress_bar.h"
#include "simulate_options.h"
#include "start.h"
#include "stored_run.h"
#include "usage.h"
#include "view_export.h"
#include "view_run.h"
#include "view_server.h"
#include "viewer_page.h"

namespace polhode::cli {
namespace {

struct ViewOptions {
  std::vector<std::string> inputs;
  study::SimulateOptions simulate;
  std::vector<std::string> methods, set;
  std::string export_file;
  int port = 0;
  bool no_browser = false, json = false;
};

using Runs = std::vector<std::unique_ptr<ViewRun>>;

constexpr double frame = 1.0 / 60;                          // [s]
constexpr double most_rows = 100'000;                       // unless --interval says otherwise: 27 minutes of frames
constexpr std::size_t most_bytes = std::size_t(256) << 20;  // of rows, of all runs together

/// Rows about a frame apart. Where steps are fixed, rows are at steps, since energies are kept there and not between them.
void choose_rows(study::SimulateOptions& o) {
  o.account_at_steps = true;
  if (o.interval) return;
  const double distance = std::max(frame, o.time / most_rows);
  if (const auto dt = study::fixed_step(o)) {
    o.every = int(std::clamp(std::floor(distance / *dt * (1 + 1e-9)), 1.0, 1e9));
  } else {
    o.interval = distance;
  }
}

/// Throws what there is against running one method, before anything is shown.
void require_runnable(const State& start, const study::SimulateOptions& options) {
  if (const std::string why = study::objection(start.mechanism(), options); !why.empty()) throw std::invalid_argument(why);
  const MethodEntry& method = study::method_named(options.method);
  study::require_supported(method, start.mechanism());
  study::require_supported(method, start);
}

/// What each method is to do. Throws by name for one that does not apply.
std::vector<study::SimulateOptions> options_of_methods(const ViewOptions& o, const LoadedModel& loaded, const State& start) {
  std::vector<study::SimulateOptions> result;
  try {
    if (o.methods.size() == 1) {
      result.push_back(o.simulate);
      result.back().method = o.methods.front();
      require_runnable(start, result.back());
    } else {
      for (study::MethodOptions& m : study::hand_out(start, o.methods, o.simulate)) {
        if (!m.problems.empty()) throw ModelError(m.problems);
        if (!m.refused.empty()) throw std::invalid_argument(m.refused);
        result.push_back(m.options);
      }
    }
  } catch (const ModelError& error) {
    rethrow_with_places(error, loaded.model);
  }
  for (study::SimulateOptions& options : result) {
    options.interval = o.simulate.interval;
    options.record = o.simulate.record;
    choose_rows(options);
  }
  return result;
}

std::string label(const ViewOptions& o, const std::string& file, const std::string& method) {
  if (o.inputs.size() == 1) return method;
  const std::string name = std::filesystem::path(file).stem().string();
  return o.methods.size() == 1 ? name : name + ", " + method;
}

/// Ghosts of one scene: the same bodies in the same order.
void require_same_bodies(const std::string& first_file, const Mechanism& first, const std::string& file,
                         const Mechanism& other) {
  const auto complain_that = [&](const std::string& how) {
    throw std::invalid_argument(
        fmt::format("{} and {} cannot be shown in one scene: {}; view them one at a time", first_file, file, how));
  };
  const int count = std::min(first.num_bodies(), other.num_bodies());
  for (int b = 1; b < count; ++b)
    if (first.bodies()[std::size_t(b)].name != other.bodies()[std::size_t(b)].name)
      complain_that(fmt::format("body {} is \"{}\" in one and \"{}\" in the other", b, first.bodies()[std::size_t(b)].name,
                                other.bodies()[std::size_t(b)].name));
  if (first.num_bodies() != other.num_bodies())
    complain_that(fmt::format("one has {} bodies and the other {}", first.num_bodies() - 1, other.num_bodies() - 1));
}

bool is_stored(const std::string& file) { return file.ends_with(".h5"); }

std::unique_ptr<ViewRun> stored_run(const ViewOptions& o, const std::string& file, std::size_t share) {
  const std::string name = std::filesystem::path(file).stem().string();
  return std::make_unique<StoredRun>(file, o.inputs.size() == 1 ? std::string("stored run") : name, share);
}

void add_simulated_runs(const ViewOptions& o, const std::string& file, std::size_t share, Runs& runs) {
  const auto loaded = std::make_shared<const LoadedModel>(load(file, o.set));
  study::Quantity::select(loaded->model.mechanism, o.simulate.record);  // says what there is before anything is shown
  State start = loaded->start;
  assemble_start(file, start);
  for (const study::SimulateOptions& options : options_of_methods(o, *loaded, start))
    runs.push_back(std::make_unique<SimulatedRun>(loaded, start, options, label(o, file, options.method), share));
}

Runs make_runs(const ViewOptions& o) {
  const auto stored = std::size_t(std::count_if(o.inputs.begin(), o.inputs.end(), is_stored));
  const std::size_t share = most_bytes / (stored + (o.inputs.size() - stored) * o.methods.size());
  Runs runs;
  for (const std::string& file : o.inputs) {
    if (is_stored(file)) {
      runs.push_back(stored_run(o, file, share));
    } else {
      add_simulated_runs(o, file, share, runs);
    }
    if (runs.size() > 1) require_same_bodies(o.inputs.front(), runs.front()->mechanism(), file, runs.back()->mechanism());
  }
  return runs;
}

std::vector<const RunFeed*> feeds(const Runs& runs) {
  std::vector<const RunFeed*> result;
  for (const auto& run : runs) result.push_back(&run->feed());
  return result;
}

/// What became of the runs that are over, on standard error. Returns the exit status.
int complain_of_failures(const Runs& runs) {
  std::fflush(stdout);  // first what was done, then what stopped it
  int status = done;
  for (const auto& run : runs) {
    if (!run->finished() || run->failure().empty()) continue;
    const char* const how = run->failure().starts_with("t = ") ? "stopped at" : "stopped:";
    complain(fmt::format("polhode: {}: {} {} {}", run->file(), run->feed().label(), how, run->failure()));
    status = failed;
  }
  return status;
}

nlohmann::json as_json(const Runs& runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& run : runs) {
    nlohmann::json one = run->finished() ? run->summary() : nlohmann::json::object();
    one["model"] = run->file();
    one["label"] = run->feed().label();
    list.push_back(one);
  }
  return list;
}

int export_runs(const ViewOptions& o, Runs& runs) {
  for (const auto& run : runs) run->begin();
  {
    ProgressBar bar(!o.json);
    for (bool going = true; going;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      going = !std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run->finished(); });
      double sum = 0;
      for (const auto& run : runs) sum += run->done();
      bar(sum / double(runs.size()));
    }
  }
  const std::size_t size = export_page(o.export_file, viewer_page(), feeds(runs));
  if (o.json) {
    print_json({{"export", o.export_file}, {"bytes", size}, {"runs", as_json(runs)}});
  } else {
    fmt::print("{}: {} {}, {:.1f} MB; open it in a browser\n", o.export_file, runs.size(), runs.size() == 1 ? "run" : "runs",
               double(size) / 1e6);
  }
  return complain_of_failures(runs);
}

int serve_runs(const ViewOptions& o, Runs& runs) {
  const InterruptPipe interrupt;
  ViewServer server(o.port, viewer_page(), feeds(runs));
  for (const auto& run : runs) run->begin();
  const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
  if (o.json) {
    print_json({{"url", address}, {"runs", as_json(runs)}});
  } else {
    fmt::print("{}\n", address);
  }
  std::fflush(stdout);
  const bool shown = !o.no_browser && open_browser(address);
  if (!o.json) complain(shown ? "Ctrl-C ends it." : "Open this address in a browser; Ctrl-C ends it.");
  server.serve(interrupt.descriptor());
  return complain_of_failures(runs);
}

void check(const ViewOptions& o) {
  if (viewer_page().empty())
    throw std::runtime_error(
        "this polhode was built without its browser page. To have it, install npm (`make setup` does) and build again with "
        "cmake -D POLHODE_BUILD_VIEWER=ON");
  for (const auto* list : {&o.inputs, &o.methods})
    for (auto name = list->begin(); name != list->end(); ++name)
      if (std::find(list->begin(), name, *name) != name)
        throw std::invalid_argument(fmt::format("\"{}\" is given twice; once is enough", *name));
  if (o.export_file.empty()) return;
  if (!o.export_file.ends_with(".html"))
    throw std::invalid_argument(fmt::format("--export \"{}\": pages are .html files; name it FILE.html", o.export_file));
  std::error_code no_file_yet;
  for (const std::string& input : o.inputs)
    if (std::filesystem::equivalent(input, o.export_file, no_file_yet))
      throw std::invalid_argument(
          fmt::format("--export {} would overwrite the file to be shown; name another file", o.export_file));
}

int view(const ViewOptions& o) {
  check(o);
  Runs runs = make_runs(o);
  return o.export_file.empty() ? serve_runs(o, runs) : export_runs(o, runs);
}

/// Options of simulating say nothing about a run that is over.
void refuse_options_of_models(const CLI::App& command, const ViewOptions& o) {
  if (!std::all_of(o.inputs.begin(), o.inputs.end(), is_stored)) return;
  constexpr std::array about_showing{"MODEL", "--export", "--port", "--no-browser", "--json", "--help"};
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && std::find(about_showing.begin(), about_showing.end(), option->get_name()) == about_showing.end())
      throw std::invalid_argument(fmt::format("{} says how to simulate a model, but {} is a stored run; leave the option out",
                                              option->get_name(), o.inputs.front()));
}

/// Those of run, but that several methods may be named.
void add_methods(CLI::App& command, ViewOptions& o) {
  o.methods = {study::method_names().front()};
  add_names_option(
      command, "--method", o.methods,
      "One or more, separated by commas, shown in one scene: " + fmt::format("{}", fmt::join(study::method_names(), ", ")))
      ->default_str(o.methods.front());
  add_options_of_methods(command, o.simulate);
}

}  // namespace

void add_view(CLI::App& app, int& status) {
  const auto o = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Show a model moving, in the browser");
  command
      ->add_option("MODEL", o->inputs, "Models (.pol) or stored runs (.h5); several of the same bodies are shown in one scene")
      ->required();
  add_time_option(*command, o->simulate);
  add_methods(*command, *o);
  command->add_option("--interval", o->simulate.interval, "Show states this far apart [s]; by default about 1/60 s")
      ->check(positive_number());
  add_names_option(*command, "--record", o->simulate.record,
                   "Quantities to plot besides, and forces to draw arrows of, as run takes them (reactions, forces, ...)");
  add_set_option(*command, o->set);
  CLI::Option* const file = command->add_option("--export", o->export_file, "Write one self-contained page FILE.html instead");
  command->add_option("--port", o->port, "Serve on this port of 127.0.0.1 [any that is free]")
      ->transform(whole_number_up_to(65535))
      ->excludes(file);
  command->add_flag("--no-browser", o->no_browser, "Only print the address")->excludes(file);
  command->add_flag("--json", o->json, "The address, or what was exported, as one JSON object on standard output");
  command->callback([o, command, file, &status] {
    if (file->count() > 0 && o->export_file.empty()) throw std::invalid_argument("--export \"\": name it FILE.html");
    refuse_options_of_models(*command, *o);
    status = view(*o);
  });
}

}  // namespace polhode::cli
