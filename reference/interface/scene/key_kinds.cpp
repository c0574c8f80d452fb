#include "reference/interface/scene/key_kinds.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace repose::kind {

namespace {

std::string text_of(const Point& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

/// A unit as tables print it.
std::string printed(std::string_view unit) {
  std::string text(unit);
  for (const auto& [plain, pretty] : {std::pair{"m2", "m²"}, {"m3", "m³"}, {"s2", "s²"}})
    if (const auto at = text.find(plain); at != std::string::npos) text.replace(at, 2, pretty);
  return text;
}

constexpr std::string_view a_name = "a name in quotes, of 1 to 200 bytes";
constexpr std::string_view a_random_seed = "an integer >= 0, the start of the random sequence";

void require_finite_and_in_plane(const ScenePart& part, const std::string& name, const Point& x, int dim) {
  if (!x.allFinite()) part.refuse_value(name, text_of(x), "finite");
  if (dim == 2 && x.z() != 0.0) part.refuse_value(name, text_of(x), "in the plane z = 0 of a 2D scene");
}

}  // namespace

std::vector<KeyRow> Number::rows(KeyRow row) const {
  row.unit = printed(unit);
  row.allowed = range.brief;
  return {std::move(row)};
}

double Number::read(TomlTable& table, const std::string& name, const Setting& setting) const {
  return table.number(name, range, unit_in(unit, setting.dim())) / times;
}

void Number::check(const ScenePart& part, const std::string& name, double value, const Setting&) const {
  if (!range.allows(times * value)) part.refuse_value(name, fmt::format("{}", times * value), range.text);
}

std::vector<KeyRow> OptionalNumber::rows(KeyRow row) const {
  row.allowed = range.brief;
  return {std::move(row)};
}

void OptionalNumber::check(const ScenePart& part, const std::string& name, const Value& value,
                           const Setting&) const {
  if (!value) part.refuse_value(name, "", range.text);
  if (!range.allows(*value)) part.refuse_value(name, fmt::format("{}", *value), range.text);
}

std::vector<KeyRow> Angle::rows(KeyRow row) const {
  row.key += "_deg";
  row.unit = "degrees";
  row.allowed = range.brief;
  return {std::move(row)};
}

void Angle::check(const ScenePart& part, const std::string& name, double value, const Setting&) const {
  if (!range.allows(value)) part.refuse_value(name, fmt::format("{} rad", value), range.text);
}

std::string Count::allowed() const {
  return high == low + 1 ? fmt::format("{} or {}", low, high)
                         : fmt::format("an integer from {} to {}", low, high);
}

std::vector<KeyRow> Count::rows(KeyRow row) const {
  row.allowed = high == low + 1 ? fmt::format("{}, {}", low, high) : fmt::format("{} to {}", low, high);
  return {std::move(row)};
}

int Count::read(TomlTable& table, const std::string& name, const Setting&) const {
  const std::int64_t value = table.integer(name, low, allowed());
  if (value > high) table.refuse(name, allowed());
  return static_cast<int>(value);
}

void Count::check(const ScenePart& part, const std::string& name, int value, const Setting&) const {
  if (value < low || value > high) part.refuse_value(name, fmt::format("{}", value), allowed());
}

std::vector<KeyRow> RandomSeed::rows(KeyRow row) const {
  row.allowed = "integer ≥ 0";
  return {std::move(row)};
}

std::uint64_t RandomSeed::read(TomlTable& table, const std::string& name, const Setting&) const {
  return static_cast<std::uint64_t>(table.integer(name, 0, a_random_seed));
}

void RandomSeed::check(const ScenePart& part, const std::string& name, std::uint64_t value,
                       const Setting&) const {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    part.refuse_value(name, fmt::format("{}", value), "less than 2^63, the range of integers in scene files");
}

std::vector<KeyRow> Flag::rows(KeyRow row) const {
  row.otherwise = "`" + row.otherwise + "`";
  row.allowed = "`true`, `false`";
  return {std::move(row)};
}

std::vector<KeyRow> Text::rows(KeyRow row) const {
  row.otherwise = "`" + row.otherwise + "`";
  row.allowed = "text";
  return {std::move(row)};
}

std::vector<KeyRow> Name::rows(KeyRow row) const {
  row.allowed = "unique";
  return {std::move(row)};
}

std::string Name::read(TomlTable& table, const std::string& name, const Setting& setting) const {
  std::string result = table.string(name, a_name);
  if (!is_name(result)) table.refuse(name, a_name);
  if (setting.taken != nullptr && !setting.taken->insert(result).second)
    table.refuse(name, "different from the names before it");
  return result;
}

std::vector<KeyRow> Vector::rows(KeyRow row) const {
  row.unit = printed(unit);
  row.allowed = "vector";
  return {std::move(row)};
}

void Vector::check(const ScenePart& part, const std::string& name, const Point& value,
                   const Setting& setting) const {
  require_finite_and_in_plane(part, name, value, setting.dim());
}

std::vector<KeyRow> Direction::rows(KeyRow row) const {
  row.allowed = "vector of any length but 0";
  return {std::move(row)};
}

void Direction::check(const ScenePart& part, const std::string& name, const Point& value,
                      const Setting& setting) const {
  require_finite_and_in_plane(part, name, value, setting.dim());
  if (!(std::abs(value.norm() - 1.0) <= 1e-12))
    part.refuse_value(name, text_of(value), "a vector of length 1");
}

std::vector<KeyRow> Spin::rows(KeyRow row) const {
  row.unit = "rad/s";
  row.allowed = "a number in 2D, a vector in 3D";
  return {std::move(row)};
}

void Spin::check(const ScenePart& part, const std::string& name, const Point& value,
                 const Setting& setting) const {
  if (!value.allFinite()) part.refuse_value(name, text_of(value), "finite");
  if (setting.dim() == 2 && (value.x() != 0.0 || value.y() != 0.0))
    part.refuse_value(name, text_of(value), "along z in a 2D scene");
}

void Spin::write(TomlWriter& writer, const std::string& name, const Point& value,
                 const Setting& setting) const {
  if (setting.dim() == 2) return writer.number(name, value.z());
  writer.vector(name, value, 3);
}

std::vector<KeyRow> Axes::rows(KeyRow row) const {
  row.otherwise = "`" + row.otherwise + "`";
  row.allowed = "any of `\"x\"`, `\"y\"`, in 3D `\"z\"`";
  return {std::move(row)};
}

Axes::Value Axes::read(TomlTable& table, const std::string& name, const Setting& setting) const {
  const std::string_view letters = setting.dim() == 2 ? "xy" : "xyz";
  const std::string allowed =
      fmt::format("a list of different axes out of \"{}\"", fmt::join(letters, "\", \""));
  Value result{};
  for (const std::string& axis : table.strings_or({}, name, allowed)) {
    const std::size_t at = axis.size() == 1 ? letters.find(axis) : std::string::npos;
    if (at == std::string::npos || result.at(at)) table.refuse(name, allowed);
    result.at(at) = true;
  }
  return result;
}

void Axes::check(const ScenePart& part, const std::string& name, const Value& value,
                 const Setting& setting) const {
  if (setting.dim() == 2 && value[2]) part.refuse_value(name, "z", "x or y in a 2D scene");
}

void Axes::write(TomlWriter& writer, const std::string& name, const Value& value, const Setting&) const {
  if (value[0] || value[1] || value[2]) writer.line(name, text(value));
}

std::string Axes::text(const Value& value) const {
  std::string result;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (value[axis]) result += fmt::format("{}\"{}\"", result.empty() ? "" : ", ", "xyz"[axis]);
  return "[" + result + "]";
}

std::vector<KeyRow> MaterialName::rows(KeyRow row) const {
  row.allowed = "name of a `[[material]]`";
  return {std::move(row)};
}

int MaterialName::read(TomlTable& table, const std::string& name, const Setting& setting) const {
  const std::vector<Material>& all = setting.scene.materials;
  const std::string wanted = table.string(name, "the name of a [[material]]");
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Material& m) { return m.name == wanted; });
  if (found != all.end()) return static_cast<int>(found - all.begin());
  std::string known;
  for (const Material& m : all) known += (known.empty() ? "\"" : ", \"") + m.name + "\"";
  table.refuse(name, "the name of a [[material]]: " + (known.empty() ? "there is none" : known));
}

void MaterialName::check(const ScenePart& part, const std::string& name, int value,
                         const Setting& setting) const {
  const int last = static_cast<int>(setting.scene.materials.size()) - 1;
  if (value < 0 || value > last)
    part.refuse_value(name, fmt::format("{}", value), fmt::format("an index from 0 to {}", last));
}

void MaterialName::write(TomlWriter& writer, const std::string& name, int value,
                         const Setting& setting) const {
  writer.text(name, setting.scene.materials.at(static_cast<std::size_t>(value)).name);
}

}  // namespace repose::kind
