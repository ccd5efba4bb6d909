#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "chosen_values.h"
#include "commands.h"
#include "load.h"
#include "polhode/format/runs/csv.h"
#include "polhode/study/canonical.h"
#include "polhode/study/column_names.h"
#include "print_json.h"
#include "progress_bar.h"
#include "stop_request.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct SampleArguments {
  std::string model, out, proposal = "hybrid";
  std::vector<std::string> set;
  study::CanonicalOptions sample;
  bool json = false, quiet = false;
};

study::Proposal proposal_named(const std::string& name) {
  if (name == "hybrid") return study::Proposal::hybrid;
  if (name == "metropolis") return study::Proposal::metropolis;
  throw std::invalid_argument(
      fmt::format("--proposal \"{}\": there is none{}", name, suggestion(name, {"hybrid", "metropolis"}, "there are")));
}

std::string table_of(const SampleArguments& o, const Mechanism& mechanism, const study::CanonicalResult& r) {
  const study::ColumnNames names(mechanism);
  std::string text = "sample,chain";
  for (const auto* list : {&names.coordinates(), &names.speeds()})
    for (const std::string& name : *list) text += ',' + format::csv_field(name);
  text += ",kinetic,potential,energy";
  for (const std::string& name : o.sample.quantities) text += ',' + format::csv_field("of " + name);
  text += '\n';
  for (std::size_t i = 0; i < r.samples.size(); ++i) {
    const study::CanonicalSample& s = r.samples[i];
    text += fmt::format("{},{}", i + 1, s.chain + 1);
    for (const auto* list : {&s.q, &s.u})
      for (const double x : *list) text += fmt::format(",{}", x);
    text += fmt::format(",{},{},{}", s.kinetic, s.potential, s.kinetic + s.potential);
    for (const double x : s.quantities) text += fmt::format(",{}", x);
    text += '\n';
  }
  return text;
}

void print_row(const std::string& name, std::size_t width, const study::ChainStatistics& s) {
  fmt::print("  {:<{}} {:>14.6g} {:>10.2g} {:>12.5g} {:>12.0f} {:>10.3f}\n", name, width, s.mean, s.error, s.deviation,
             s.effective, s.reduction);
}

void print_for_people(const SampleArguments& o, const study::CanonicalResult& r) {
  const auto [shortest, longest] = std::minmax_element(r.steps.begin(), r.steps.end());
  fmt::print("{}: {} states at k T = {:.9g} J, {}\n", o.model, r.samples.size(), o.sample.temperature, o.proposal);
  fmt::print("  chains               {}, seed {}; each discards {} proposals, {} from one state to the next\n", o.sample.chains,
             o.sample.seed, o.sample.discard, o.sample.every);
  fmt::print("  steps                {:.3g} to {:.3g} s{}\n", *shortest, *longest,
             o.proposal == "hybrid" ? fmt::format(", up to {} a proposal", o.sample.most_steps) : "");
  fmt::print("  accepted             {:.1f} %\n", 100 * r.accepted);
  fmt::print("  freedoms             {}; k T/2 for each is {:.6g} J\n", r.freedoms, 0.5 * r.freedoms * o.sample.temperature);
  fmt::print("  wall time            {:.3g} s\n", r.wall_time);
  std::size_t width = 20;
  for (const std::string& name : o.sample.quantities) width = std::max(width, name.size());
  fmt::print("  {:<{}} {:>14} {:>10} {:>12} {:>12} {:>10}\n", "", width, "mean", "error", "deviation", "independent",
             "reduction");
  print_row("kinetic", width, r.kinetic);
  print_row("potential", width, r.potential);
  for (std::size_t k = 0; k < r.quantities.size(); ++k) print_row(o.sample.quantities[k], width, r.quantities[k]);
  for (const std::string& warning : r.warnings) fmt::print("  warning: {}\n", warning);
  if (!o.out.empty()) fmt::print("  {} rows written to {}\n", r.samples.size(), o.out);
}

nlohmann::json as_json(const SampleArguments& o, const study::CanonicalResult& r) {
  const auto statistics = [](const study::ChainStatistics& s) {
    return nlohmann::json{{"mean", s.mean},
                          {"error", s.error},
                          {"deviation", s.deviation},
                          {"independent", s.effective},
                          {"reduction", s.reduction}};
  };
  nlohmann::json quantities = nlohmann::json::object();
  quantities["kinetic"] = statistics(r.kinetic), quantities["potential"] = statistics(r.potential);
  for (std::size_t k = 0; k < r.quantities.size(); ++k) quantities[o.sample.quantities[k]] = statistics(r.quantities[k]);
  nlohmann::json object{
      {"model", o.model},          {"kT", o.sample.temperature}, {"proposal", o.proposal},   {"samples", r.samples.size()},
      {"chains", o.sample.chains}, {"seed", o.sample.seed},      {"freedoms", r.freedoms},   {"accepted", r.accepted},
      {"failed", r.failed},        {"steps", r.steps},           {"quantities", quantities}, {"interrupted", r.interrupted},
      {"warnings", r.warnings},    {"wall_time", r.wall_time}};
  if (!o.out.empty()) object["out"] = o.out;
  return object;
}

int run(const SampleArguments& o) {
  if (!o.out.empty()) require_table_name(o.out, o.model);
  const LoadedModel loaded = load(o.model, o.set);
  study::CanonicalOptions options = o.sample;
  options.proposal = proposal_named(o.proposal);
  std::optional<format::FileLock> lock;
  study::CanonicalResult result;
  try {
    const StopRequest stop_request;
    if (!o.out.empty()) lock.emplace(o.out);
    options.interrupted = StopRequest::asked;
    ProgressBar bar(!o.json && !o.quiet);
    result = study::sample_canonical(loaded.start, options, std::ref(bar));
  } catch (const ModelError& error) {
    rethrow_with_places(error, loaded.model);
  }
  if (!o.out.empty()) write_file(o.out, table_of(o, loaded.model.mechanism, result));
  if (o.json) {
    print_json(as_json(o, result));
  } else if (!o.quiet) {
    print_for_people(o, result);
  }
  if (!result.interrupted) return done;
  std::fflush(stdout);
  complain(fmt::format("polhode: interrupted: {} of {} states were drawn", result.samples.size(), o.sample.samples));
  return failed;
}

}  // namespace

void add_sample(CLI::App& app, int& status) {
  const auto o = std::make_shared<SampleArguments>();
  CLI::App* command = app.add_subcommand("sample", "Draw states as a heat bath leaves them (Monte Carlo)");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  command->add_option("--temperature", o->sample.temperature, "k T: the temperature as an energy [J]")
      ->required()
      ->check(positive_number());
  command->add_option("--samples", o->sample.samples, "How many states, of all chains together")
      ->transform(whole_number(1, 10'000'000))
      ->capture_default_str();
  command
      ->add_option("--proposal", o->proposal,
                   "hybrid: along motions with speeds drawn anew; metropolis: by random displacements")
      ->capture_default_str();
  command
      ->add_option("--quantity", o->sample.quantities,
                   "A coordinate, a speed, FRAME.x, FRAME.y, FRAME.z, kinetic, potential or energy to tell of; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--step", o->sample.step, "Step of motions, or scale of displacements [s] [found while discarding]")
      ->check(positive_number());
  command->add_option("--most-steps", o->sample.most_steps, "Most steps of a motion; how many is drawn for each")
      ->transform(whole_number_up_to(100000))
      ->capture_default_str();
  command->add_option("--chains", o->sample.chains, "Chains with random numbers of their own")
      ->transform(whole_number_up_to(10000))
      ->capture_default_str();
  command->add_option("--discard", o->sample.discard, "Proposals that each chain discards at first")
      ->transform(whole_number(0, 100'000'000))
      ->capture_default_str();
  command->add_option("--every", o->sample.every, "Proposals from one state that is kept to the next")
      ->transform(whole_number(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", o->sample.seed, "Seed of the random numbers")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  add_set_option(*command, o->set);
  command->add_option("--threads", o->sample.threads, "How many threads [all cores]")->transform(whole_number_up_to(1024));
  CLI::Option* const out = command->add_option("--out", o->out, "Write one row per state to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, &status] {
    if (out->count() > 0 && o->out.empty()) throw std::invalid_argument("--out needs a file's name");
    status = run(*o);
  });
}

}  // namespace polhode::cli
