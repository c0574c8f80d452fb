#pragma once

#include "reference/interface/scene/key.h"
#include "reference/interface/scene/scene_names.h"
#include "reference/interface/scene/scene_rules.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// Kinds of values of keys: how a value is read from a file, checked, written, and what tables say of it.
namespace repose::kind {

/// What most kinds share: one spelling, no unit, one row.
struct Plain {
  std::vector<Spelling> spellings(std::string_view name) const { return {{std::string(name)}}; }
  std::vector<KeyRow> rows(KeyRow row) const { return {std::move(row)}; }
};

/// A number, the same in files as in memory but for a factor that is a power of two.
struct Number : Plain {
  using Value = double;
  Range range;
  std::string_view unit{};  ///< "m^d" stands for the volume of d dimensions
  double times = 1.0;       ///< what stands in files is so many times the member

  Number(const Range& allowed, std::string_view in_unit = {}, double factor = 1.0)
      : range(allowed), unit(in_unit), times(factor) {}
  std::vector<Spelling> spellings(std::string_view name) const {
    return {{std::string(name), std::string(unit)}};
  }
  std::vector<KeyRow> rows(KeyRow row) const;
  double read(TomlTable& table, const std::string& name, const Setting& setting) const;
  void check(const ScenePart& part, const std::string& name, double value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, double value, const Setting&) const {
    writer.number(name, times * value);
  }
  std::string text(double value) const { return fmt::format("{}", times * value); }
};

/// A number that need not be given; 0 in memory where it is not.
struct NumberOrNone : Number {
  using Number::Number;
  void check(const ScenePart& part, const std::string& name, double value, const Setting& setting) const {
    if (value != 0.0) Number::check(part, name, value, setting);
  }
  void write(TomlWriter& writer, const std::string& name, double value, const Setting& setting) const {
    if (value != 0.0) Number::write(writer, name, value, setting);
  }
};

/// A number that a struct may lack.
struct OptionalNumber : Plain {
  using Value = std::optional<double>;
  Range range;

  explicit OptionalNumber(const Range& allowed) : range(allowed) {}
  std::vector<KeyRow> rows(KeyRow row) const;
  Value read(TomlTable& table, const std::string& name, const Setting&) const {
    return table.number(name, range, "");
  }
  void check(const ScenePart& part, const std::string& name, const Value& value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, const Value& value, const Setting&) const {
    writer.number(name, *value);
  }
};

/// The same, where it need not be given.
struct NumberIfGiven : OptionalNumber {
  using OptionalNumber::OptionalNumber;
  void check(const ScenePart& part, const std::string& name, const Value& value,
             const Setting& setting) const {
    if (value) OptionalNumber::check(part, name, value, setting);
  }
  void write(TomlWriter& writer, const std::string& name, const Value& value, const Setting& setting) const {
    if (value) OptionalNumber::write(writer, name, value, setting);
  }
};

/// An angle, from name_deg or name_rad [rad].
struct Angle {
  using Value = double;
  Range range;

  std::vector<Spelling> spellings(std::string_view name) const {
    return {{std::string(name) + "_deg", "degrees"}, {std::string(name) + "_rad", "rad"}};
  }
  std::vector<KeyRow> rows(KeyRow row) const;
  double read(TomlTable& table, const std::string& name, const Setting&) const {
    return table.angle(name, range);
  }
  void check(const ScenePart& part, const std::string& name, double value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, double value, const Setting&) const {
    writer.angle(name, value);
  }
};

/// A whole number from low to high.
struct Count : Plain {
  using Value = int;
  int low, high;

  Count(int from, int to) : low(from), high(to) {}
  std::vector<KeyRow> rows(KeyRow row) const;
  int read(TomlTable& table, const std::string& name, const Setting&) const;
  void check(const ScenePart& part, const std::string& name, int value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, int value, const Setting&) const {
    writer.line(name, fmt::format("{}", value));
  }
  std::string text(int value) const { return fmt::format("{}", value); }
  std::string allowed() const;
};

/// The start of a random sequence.
struct RandomSeed : Plain {
  using Value = std::uint64_t;

  std::vector<KeyRow> rows(KeyRow row) const;
  std::uint64_t read(TomlTable& table, const std::string& name, const Setting&) const;
  void check(const ScenePart& part, const std::string& name, std::uint64_t value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, std::uint64_t value, const Setting&) const {
    writer.line(name, fmt::format("{}", value));
  }
};

struct Flag : Plain {
  using Value = bool;

  std::vector<KeyRow> rows(KeyRow row) const;
  bool read(TomlTable& table, const std::string& name, const Setting&) const {
    return table.boolean_or(false, name);
  }
  void check(const ScenePart&, const std::string&, bool, const Setting&) const {}
  void write(TomlWriter& writer, const std::string& name, bool value, const Setting&) const {
    writer.line(name, text(value));
  }
  std::string text(bool value) const { return value ? "true" : "false"; }
};

/// Any text.
struct Text : Plain {
  using Value = std::string;

  std::vector<KeyRow> rows(KeyRow row) const;
  std::string read(TomlTable& table, const std::string& name, const Setting&) const {
    return table.string(name, "a text in quotes");
  }
  void check(const ScenePart&, const std::string&, const std::string&, const Setting&) const {}
  void write(TomlWriter& writer, const std::string& name, const std::string& value, const Setting&) const {
    writer.text(name, value);
  }
  std::string text(const std::string& value) const { return toml_text(value); }
};

/// What a body or material is called in messages; unique in its list, as whoever checks lists in memory sees to.
struct Name : Plain {
  using Value = std::string;

  std::vector<KeyRow> rows(KeyRow row) const;
  std::string read(TomlTable& table, const std::string& name, const Setting&) const;
  void check(const ScenePart&, const std::string&, const std::string&, const Setting&) const {}
  void write(TomlWriter& writer, const std::string& name, const std::string& value, const Setting&) const {
    writer.text(name, value);
  }
};

/// One of several names.
template <class T>
struct Choice : Plain {
  using Value = T;
  const Names<T>* names;

  explicit Choice(const Names<T>& all) : names(&all) {}
  std::vector<KeyRow> rows(KeyRow row) const {
    for (const auto& [word, value] : *names)
      row.allowed += fmt::format("{}`\"{}\"`", row.allowed.empty() ? "" : ", ", word);
    return {std::move(row)};
  }
  T read(TomlTable& table, const std::string& name, const Setting&) const {
    return table.choice(name, *names);
  }
  void check(const ScenePart& part, const std::string& name, T value, const Setting&) const {
    for (const auto& [word, known] : *names)
      if (known == value) return;
    part.refuse_value(name, fmt::format("{}", static_cast<int>(value)), TomlTable::list(*names));
  }
  void write(TomlWriter& writer, const std::string& name, T value, const Setting&) const {
    writer.text(name, names::of(value, *names));
  }
  std::string text(T value) const { return fmt::format("`\"{}\"`", names::of(value, *names)); }
};

/// A vector of d numbers.
struct Vector : Plain {
  using Value = Point;
  std::string_view unit;

  explicit Vector(std::string_view in_unit) : unit(in_unit) {}
  std::vector<Spelling> spellings(std::string_view name) const {
    return {{std::string(name), std::string(unit)}};
  }
  std::vector<KeyRow> rows(KeyRow row) const;
  Point read(TomlTable& table, const std::string& name, const Setting& setting) const {
    return table.vector(name, setting.dim(), unit);
  }
  void check(const ScenePart& part, const std::string& name, const Point& value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, const Point& value, const Setting& setting) const {
    writer.vector(name, value, setting.dim());
  }
  std::string text(const Point& value) const { return value.isZero(0.0) ? "0" : toml_vector(value, 3); }
};

/// A vector of which only the direction counts; of length 1 in memory.
struct Direction : Plain {
  using Value = Point;

  std::vector<KeyRow> rows(KeyRow row) const;
  Point read(TomlTable& table, const std::string& name, const Setting& setting) const {
    return table.direction(name, setting.dim());
  }
  void check(const ScenePart& part, const std::string& name, const Point& value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, const Point& value, const Setting& setting) const {
    writer.vector(name, value, setting.dim());
  }
};

/// An angular velocity: a number about z in 2D.
struct Spin : Plain {
  using Value = Point;

  std::vector<Spelling> spellings(std::string_view name) const { return {{std::string(name), "rad/s"}}; }
  std::vector<KeyRow> rows(KeyRow row) const;
  Point read(TomlTable& table, const std::string& name, const Setting& setting) const {
    return table.spin(name, setting.dim());
  }
  void check(const ScenePart& part, const std::string& name, const Point& value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, const Point& value, const Setting&) const;
  std::string text(const Point&) const { return "0"; }
};

/// Some of the axes; not written where there are none.
struct Axes : Plain {
  using Value = std::array<bool, 3>;

  std::vector<KeyRow> rows(KeyRow row) const;
  Value read(TomlTable& table, const std::string& name, const Setting& setting) const;
  void check(const ScenePart& part, const std::string& name, const Value& value,
             const Setting& setting) const;
  void write(TomlWriter& writer, const std::string& name, const Value& value, const Setting&) const;
  std::string text(const Value& value) const;
};

/// The name of a material; its index in memory.
struct MaterialName : Plain {
  using Value = int;

  std::vector<KeyRow> rows(KeyRow row) const;
  int read(TomlTable& table, const std::string& name, const Setting&) const;
  void check(const ScenePart& part, const std::string& name, int value, const Setting&) const;
  void write(TomlWriter& writer, const std::string& name, int value, const Setting&) const;
};

}  // namespace repose::kind
