#pragma once

#include "reference/interface/scene/key_row.h"
#include "reference/interface/scene/part.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/scene/toml_table.h"
#include "reference/interface/scene/toml_writer.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Keys of scene files, each described once: its name, the member that it fills, what kind of value it takes in which unit
/// and range, its default and its meaning. Reading, checking, writing and the tables of SCENES.md follow from that.
namespace repose {

/// What a key may depend on besides its own table.
struct Setting {
  const Scene& scene;      ///< as far as it is known: keys of the scene before materials, those before bodies
  std::size_t number = 1;  ///< which table of its list this is
  /// Names of the list that are taken; where a name is read, it is added. Null where nothing is read.
  std::set<std::string>* taken = nullptr;

  int dim() const { return scene.dim(); }
};

/// A key as files spell it, with its unit for messages.
struct Spelling {
  std::string key;
  std::string unit{};
};

/// A key, or several that belong together, of the table that fills an S.
template <class S>
struct Key {
  std::vector<Spelling> spellings;
  std::vector<KeyRow> rows;
  /// @throws BadInput naming file and line
  std::function<void(TomlTable&, S&, const Setting&)> read;
  /// @throws BadInput naming the part
  std::function<void(const ScenePart&, const S&, const Setting&)> check;
  std::function<void(TomlWriter&, const S&, const Setting&)> write;
};

/// A unit in so many dimensions: "m^d" is an area or a volume.
std::string unit_in(std::string_view unit, int dim);

template <class S>
using Keys = std::vector<Key<S>>;

/// A member of a member: in(&Scene::step, &StepLimits::cfl).
template <class S, class Middle, class T>
struct Nested {
  Middle S::*outer;
  T Middle::*inner;
  T& operator()(S& s) const { return s.*outer.*inner; }
  const T& operator()(const S& s) const { return s.*outer.*inner; }
};
template <class S, class Middle, class T>
Nested<S, Middle, T> in(Middle S::*outer, T Middle::*inner) {
  return {outer, inner};
}

/// What stands where a key is missing:
struct Required {};  ///< it must not be
inline constexpr Required required;
struct Initial {};  ///< what the struct's own initializer gives
inline constexpr Initial initial;
/// what follows from the keys before, as the text says; none where the key is required after all.
template <class Value>
struct Computed {
  std::string_view text;
  Value value;  ///< (const S&, const Setting&) → T
};
template <class Value>
Computed<Value> computed(std::string_view text, Value value) {
  return {text, std::move(value)};
}

namespace detail {

template <class Member>
struct Of;
template <class S, class T>
struct Of<T S::*> {
  using Owner = S;
};
template <class S, class Middle, class T>
struct Of<Nested<S, Middle, T>> {
  using Owner = S;
};

/// Default and its text in tables.
template <class S, class Member, class Kind, class Otherwise>
auto default_of(const Member& member, const Kind& kind, const Otherwise& otherwise) {
  using Value = typename Kind::Value;
  using Give = std::function<Value(const S&, const Setting&)>;
  if constexpr (std::is_same_v<Otherwise, Required>) {
    return std::pair<Give, std::string>{};
  } else if constexpr (std::is_same_v<Otherwise, Initial>) {
    Value value = std::invoke(member, S{});
    std::string text = kind.text(value);
    return std::pair<Give, std::string>{[value](const S&, const Setting&) { return value; }, std::move(text)};
  } else {
    return std::pair<Give, std::string>{otherwise.value, std::string(otherwise.text)};
  }
}

inline bool has_any(const TomlTable& table, const std::vector<Spelling>& spellings) {
  for (const Spelling& spelling : spellings)
    if (table.has(spelling.key)) return true;
  return false;
}

}  // namespace detail

/// Describes a key. @param kind one of key_kinds.h  @param otherwise required, initial or computed()
template <class Member, class Kind, class Otherwise>
auto key(std::string_view name, Member member, Kind kind, Otherwise otherwise, std::string_view meaning) {
  using S = typename detail::Of<Member>::Owner;
  const auto [give, text] = detail::default_of<S>(member, kind, otherwise);
  Key<S> result;
  result.spellings = kind.spellings(name);
  result.rows = kind.rows({.key = std::string(name),
                           .unit = {},
                           .otherwise = text,
                           .allowed = {},
                           .meaning = std::string(meaning),
                           .is_required = std::is_same_v<Otherwise, Required>});
  const std::string known(name);
  result.read = [=, give = give, spellings = result.spellings](TomlTable& table, S& s,
                                                               const Setting& setting) {
    const bool is_given = !give || detail::has_any(table, spellings);
    std::invoke(member, s) = is_given ? kind.read(table, known, setting) : give(s, setting);
  };
  result.check = [=](const ScenePart& part, const S& s, const Setting& setting) {
    kind.check(part, known, std::invoke(member, s), setting);
  };
  result.write = [=](TomlWriter& writer, const S& s, const Setting& setting) {
    kind.write(writer, known, std::invoke(member, s), setting);
  };
  return result;
}

/// A key that has a meaning only where a condition holds; elsewhere it must be left out, is not checked and not written.
/// @param condition as messages and tables say it: `kind = "sand"`
template <class S, class Applies>
Key<S> only_if(std::string_view condition, Applies applies, Key<S> inner) {
  Key<S> result = inner;
  for (KeyRow& row : result.rows) {
    row.meaning += row.meaning.empty() ? "" : "; ";
    row.meaning += (row.is_required ? "required where " : "only where ") + std::string(condition);
    row.is_required = false;
  }
  const std::string left_out = "left out unless " + std::string(condition);
  result.read = [=](TomlTable& table, S& s, const Setting& setting) {
    if (applies(s, setting)) return inner.read(table, s, setting);
    for (const Spelling& spelling : inner.spellings)
      if (table.has(spelling.key)) table.refuse(spelling.key, left_out);
  };
  result.check = [=](const ScenePart& part, const S& s, const Setting& setting) {
    if (applies(s, setting)) inner.check(part, s, setting);
  };
  result.write = [=](TomlWriter& writer, const S& s, const Setting& setting) {
    if (applies(s, setting)) inner.write(writer, s, setting);
  };
  return result;
}

/// Makes all keys of a table known, so that suggestions for a misspelled one see those that are read later too.
template <class S>
void know_keys(const Keys<S>& keys, TomlTable& table, int dim) {
  for (const Key<S>& one : keys)
    for (const Spelling& spelling : one.spellings) table.known(spelling.key, unit_in(spelling.unit, dim));
}

/// Reads the keys of a table in their order; those that none asks for are left to TomlTable::finish().
template <class S>
void read_keys(const Keys<S>& keys, TomlTable& table, S& s, const Setting& setting) {
  know_keys(keys, table, setting.dim());
  for (const Key<S>& one : keys) one.read(table, s, setting);
}

template <class S>
void check_keys(const Keys<S>& keys, const ScenePart& part, const S& s, const Setting& setting) {
  for (const Key<S>& one : keys) one.check(part, s, setting);
}

template <class S>
void write_keys(const Keys<S>& keys, TomlWriter& writer, const S& s, const Setting& setting) {
  for (const Key<S>& one : keys) one.write(writer, s, setting);
}

template <class S>
std::vector<KeyRow> rows_of(const Keys<S>& keys) {
  std::vector<KeyRow> rows;
  for (const Key<S>& one : keys) rows.insert(rows.end(), one.rows.begin(), one.rows.end());
  return rows;
}

/// A line that only the writer knows, for readers of the file. @param text (const S&, const Setting&) → std::string, empty for
/// none
template <class S, class Text>
Key<S> remark(Text text) {
  Key<S> result;
  result.read = [](TomlTable&, S&, const Setting&) {};
  result.check = [](const ScenePart&, const S&, const Setting&) {};
  result.write = [=](TomlWriter& writer, const S& s, const Setting& setting) {
    const std::string line = text(s, setting);
    if (!line.empty()) writer.comment(line);
  };
  return result;
}

/// A table inside a table: [outer.name]. Left out it has its defaults.
template <class S, class Inner>
Key<S> table_key(std::string_view name, Inner S::*member, const Keys<Inner>& keys, std::string_view meaning) {
  const std::string known(name);
  Key<S> result;
  result.spellings = {{known}};
  result.rows = {{.key = known,
                  .unit = {},
                  .otherwise = {},
                  .allowed = "a table, see below",
                  .meaning = std::string(meaning)}};
  result.read = [=](TomlTable& table, S& s, const Setting& setting) {
    TomlTable inner = table.table_or_empty(known);
    read_keys(keys, inner, s.*member, setting);
    inner.finish();
  };
  result.check = [=](const ScenePart& part, const S& s, const Setting& setting) {
    check_keys(keys, part, s.*member, setting);
  };
  result.write = [=](TomlWriter& writer, const S& s, const Setting& setting) {
    writer.table(known, [&](TomlWriter& inner) { write_keys(keys, inner, s.*member, setting); });
  };
  return result;
}

/// A table inside a table that may be missing.
template <class S, class Inner>
Key<S> optional_table_key(std::string_view name, std::optional<Inner> S::*member, const Keys<Inner>& keys,
                          std::string_view meaning) {
  const std::string known(name);
  Key<S> result;
  result.spellings = {{known}};
  result.rows = {{.key = known,
                  .unit = {},
                  .otherwise = "none",
                  .allowed = "a table, see below",
                  .meaning = std::string(meaning)}};
  result.read = [=](TomlTable& table, S& s, const Setting& setting) {
    (s.*member).reset();
    if (!table.has(known)) return;
    TomlTable inner = table.table(known);
    read_keys(keys, inner, (s.*member).emplace(), setting);
    inner.finish();
  };
  result.check = [=](const ScenePart& part, const S& s, const Setting& setting) {
    if (s.*member) check_keys(keys, part, *(s.*member), setting);
  };
  result.write = [=](TomlWriter& writer, const S& s, const Setting& setting) {
    if (s.*member)
      writer.table(known, [&](TomlWriter& inner) { write_keys(keys, inner, *(s.*member), setting); });
  };
  return result;
}

}  // namespace repose
