#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "record.h"
#include "whole_file.h"

namespace polhode::experiments {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kinds[]{"met", "missed", "not measured"};

/// JSON has no infinity; what is no number is written as a word.
Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value)); }
double number_from(const Json& json) { return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>(); }

Json json_of(const Judged& judged) {
  const bench::Verdict& verdict = judged.verdict;
  Json json{{"claim", verdict.claim}, {"verdict", kinds[int(verdict.kind)]}, {"about", name_of(judged.about)}};
  if (verdict.measured) json["measured"] = json_of(*verdict.measured);
  json[verdict.at_most ? "at_most" : "at_least"] = json_of(verdict.bound);
  return json;
}

About about_from(const std::string& name) {
  for (const About about : {About::speed, About::aim}) {
    if (name == name_of(about)) return about;
  }
  return About::mechanics;
}

/// Verdicts are computed here too: the word in the file is for other readers.
Judged judged_from(const Json& json) {
  const std::string claim = json.at("claim");
  std::optional<double> measured;
  if (json.contains("measured")) measured = number_from(json.at("measured"));
  const About about = about_from(json.at("about"));
  if (json.contains("at_most")) return {bench::at_most(claim, measured, number_from(json.at("at_most"))), about};
  return {bench::at_least(claim, measured, number_from(json.at("at_least"))), about};
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) {
      const double* number = std::get_if<double>(&cell);
      cells.push_back(number ? json_of(*number) : Json(std::get<std::string>(cell)));
    }
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name}, {"caption", table.caption}, {"columns", table.columns}, {"rows", rows}};
}

Table table_from(const Json& json) {
  Table table{.name = json.at("name"), .caption = json.at("caption"), .columns = json.at("columns")};
  for (const Json& row : json.at("rows")) {
    auto& cells = table.rows.emplace_back();
    for (const Json& cell : row) cells.push_back(cell.is_number() ? Cell(cell.get<double>()) : Cell(cell.get<std::string>()));
  }
  return table;
}

Json json_of(const Drawn& picture) { return {{"name", picture.name}, {"caption", picture.caption}, {"svg", picture.svg}}; }
Drawn drawn_from(const Json& json) { return {json.at("name"), json.at("caption"), json.at("svg")}; }

template <class T>
Json list_of(const std::vector<T>& things) {
  Json list = Json::array();
  for (const T& thing : things) list.push_back(json_of(thing));
  return list;
}

template <class T>
std::vector<T> list_from(const Json& json, T (*from)(const Json&)) {
  std::vector<T> list;
  for (const Json& element : json) list.push_back(from(element));
  return list;
}

Record record_from(const Json& json) {
  Record record{.name = json.at("name"), .title = json.at("title"), .source = json.at("source"), .claim = json.at("claim")};
  record.date = json.at("date");
  record.machine = json.at("machine");
  record.seconds = json.at("seconds");
  record.quick = json.at("quick");
  record.failure = json.value("failure", "");
  record.verdicts = list_from(json.at("verdicts"), judged_from);
  record.notes = json.at("notes");
  record.tables = list_from(json.at("tables"), table_from);
  record.pictures = list_from(json.at("pictures"), drawn_from);
  return record;
}

std::filesystem::path file_of(const std::string& name, const std::filesystem::path& out) {
  return out / name / "findings.json";
}

}  // namespace

void save(const Record& record, const std::filesystem::path& out) {
  Json json{{"name", record.name}, {"title", record.title},     {"source", record.source},   {"claim", record.claim},
            {"date", record.date}, {"machine", record.machine}, {"seconds", record.seconds}, {"quick", record.quick}};
  if (!record.failure.empty()) json["failure"] = record.failure;
  json["verdicts"] = list_of(record.verdicts);
  json["notes"] = record.notes;
  json["tables"] = list_of(record.tables);
  json["pictures"] = list_of(record.pictures);
  const auto file = file_of(record.name, out);
  std::filesystem::create_directories(file.parent_path());
  // What peers say of themselves need not be UTF-8.
  write_whole_file(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::optional<Record> load(const std::string& name, const std::filesystem::path& out) {
  const auto file = file_of(name, out);
  std::ifstream in(file);
  if (!in) return std::nullopt;
  try {
    Record record = record_from(Json::parse(in));
    record.name = name;  // which links go by
    return record;
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}; run {} again", file.string(), error.what(), name));
  }
}

}  // namespace polhode::experiments
