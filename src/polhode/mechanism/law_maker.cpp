#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/law.h"

namespace polhode {

using Code = Law::Code;

std::size_t LawMaker::Hash::operator()(const Law::Operation& o) const {
  std::uint64_t h = std::uint64_t(o.code) ^ std::bit_cast<std::uint64_t>(o.value);
  for (const int operand : o.operand) h = (h ^ std::uint64_t(operand + 1)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return std::size_t(h);
}

int LawMaker::intern(const Law::Operation& operation) {
  const bool is_number = operation.value == operation.value;  // and not one that equals nothing
  if (const auto known = known_.find(operation); is_number && known != known_.end()) return known->second;
  if (int(d_.operations.size()) >= Law::most_operations)
    throw std::length_error("it has more than " + std::to_string(Law::most_operations) +
                            " operations; give parts of it to states or to other forces");
  const int id = int(d_.operations.size());
  d_.operations.push_back(operation);
  known_.emplace(operation, id);
  return id;
}

int LawMaker::constant(double value) { return intern({Code::constant, {-1, -1, -1, -1}, value == 0 ? 0.0 : value}); }

int LawMaker::read(Law::Kind kind, const std::string& name, Source where) {
  const auto known =
      std::find_if(d_.reads.begin(), d_.reads.end(), [&](const Law::Read& r) { return r.kind == kind && r.name == name; });
  const int index = int(known - d_.reads.begin());
  if (known == d_.reads.end()) d_.reads.push_back({kind, name, where});
  return intern({Code::read, {index, -1, -1, -1}});
}

int LawMaker::signal(Signal signal) {
  if (signal.is_constant()) return constant(signal.value(0));
  d_.signals.push_back(std::move(signal));
  return intern({Code::signal, {int(d_.signals.size()) - 1, -1, -1, -1}});
}

int LawMaker::lookup(int argument, std::vector<double> x, std::vector<double> y, TableCurve::Joining joining) {
  if (x.size() != y.size() || x.size() < 2) throw std::invalid_argument("a table needs two points or more");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) throw std::invalid_argument("a table's points must be finite numbers");
    if (i > 0 && !(x[i - 1] < x[i])) throw std::invalid_argument("a table's first numbers must increase");
  }
  TableCurve curve(x, y, joining);
  d_.tables.push_back({std::move(x), std::move(y), joining, std::move(curve)});
  return intern({Code::lookup, {argument, int(d_.tables.size()) - 1, -1, -1}});
}

const double* LawMaker::constant_of(int id) const {
  const Law::Operation& o = d_.operations[std::size_t(id)];
  return o.code == Code::constant ? &o.value : nullptr;
}

int LawMaker::apply(Code code, std::span<const int> operands) {
  Law::Operation operation{code};
  std::copy(operands.begin(), operands.end(), operation.operand.begin());
  if (std::any_of(operands.begin(), operands.end(), [&](int id) { return constant_of(id) == nullptr; }))
    return intern(operation);
  // Of constants: the same code as everywhere finds the number.
  Law::Data only;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    only.operations.push_back({Code::constant, {-1, -1, -1, -1}, *constant_of(operands[k])});
    operation.operand[k] = int(k);
  }
  only.operations.push_back(operation);
  return constant(Law(std::make_shared<const Law::Data>(std::move(only))).evaluate<double>({}, {}, {}));
}

int LawMaker::add(const Law& law) {
  std::vector<int> ids;
  for (const Law::Operation& o : law.operations()) {
    const std::size_t first = o.operand[0] < 0 ? 0 : std::size_t(o.operand[0]);
    switch (o.code) {
      case Code::constant: ids.push_back(constant(o.value)); break;
      case Code::time: ids.push_back(time()); break;
      case Code::read: ids.push_back(read(law.reads()[first].kind, law.reads()[first].name, law.reads()[first].where)); break;
      case Code::signal: ids.push_back(signal(law.signals()[first])); break;
      case Code::lookup: {
        const Law::Table& table = law.tables()[std::size_t(o.operand[1])];
        ids.push_back(lookup(ids[first], table.x, table.y, table.joining));
        break;
      }
      default: {
        std::array<int, 4> operands{};
        std::size_t count = 0;
        for (; count < 4 && o.operand[count] >= 0; ++count) operands[count] = ids[std::size_t(o.operand[count])];
        ids.push_back(apply(o.code, std::span<const int>(operands.data(), count)));
      }
    }
  }
  for (const Law::Read& parameter : law.parameters()) note_parameter(parameter.name, parameter.where);
  return ids.back();
}

void LawMaker::note_parameter(const std::string& name, Source where) {
  const auto known = std::find_if(d_.parameters.begin(), d_.parameters.end(), [&](const auto& p) { return p.name == name; });
  if (known == d_.parameters.end()) d_.parameters.push_back({Law::Kind::any, name, where});
}

Law LawMaker::finish(int result, Source where) const {
  std::vector<int> number(d_.operations.size(), -1);
  std::vector<char> needed(std::size_t(result) + 1);
  needed[std::size_t(result)] = 1;
  const auto is_operand = [](const Law::Operation& o, std::size_t k) {
    if (o.code == Code::read || o.code == Code::signal || o.operand[k] < 0) return false;
    return o.code != Code::lookup || k == 0;
  };
  for (std::size_t i = std::size_t(result) + 1; i-- > 0;)
    for (std::size_t k = 0; k < 4 && needed[i]; ++k)
      if (is_operand(d_.operations[i], k)) needed[std::size_t(d_.operations[i].operand[k])] = 1;

  auto made = std::make_shared<Law::Data>();
  std::vector<int> read_number(d_.reads.size(), -1);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    Law::Operation o = d_.operations[i];
    for (std::size_t k = 0; k < 4; ++k)
      if (is_operand(o, k)) o.operand[k] = number[std::size_t(o.operand[k])];
    if (o.code == Code::read) {
      int& read = read_number[std::size_t(o.operand[0])];
      if (read < 0) read = int(made->reads.size()), made->reads.push_back(d_.reads[std::size_t(o.operand[0])]);
      o.operand[0] = read;
    } else if (o.code == Code::signal) {
      made->signals.push_back(d_.signals[std::size_t(o.operand[0])]);
      o.operand[0] = int(made->signals.size()) - 1;
    } else if (o.code == Code::lookup) {
      made->tables.push_back(d_.tables[std::size_t(o.operand[1])]);
      o.operand[1] = int(made->tables.size()) - 1;
    }
    number[i] = int(made->operations.size());
    made->operations.push_back(o);
  }
  made->parameters = d_.parameters;
  made->where = where;
  return Law(std::move(made));
}

Law Law::constant(double value) {
  LawMaker maker;
  return maker.finish(maker.constant(value));
}
Law Law::time() {
  LawMaker maker;
  return maker.finish(maker.time());
}
Law Law::of(Kind kind, std::string name, Source where) {
  LawMaker maker;
  return maker.finish(maker.read(kind, name, where));
}
Law Law::signal(Signal signal) {
  LawMaker maker;
  return maker.finish(maker.signal(std::move(signal)));
}
Law Law::lookup(const Law& argument, std::vector<double> x, std::vector<double> y, TableCurve::Joining joining) {
  LawMaker maker;
  return maker.finish(maker.lookup(maker.add(argument), std::move(x), std::move(y), joining));
}
Law Law::apply(Code code, std::initializer_list<Law> operands) {
  LawMaker maker;
  std::vector<int> ids;
  for (const Law& operand : operands) ids.push_back(maker.add(operand));
  return maker.finish(maker.apply(code, ids));
}

}  // namespace polhode
