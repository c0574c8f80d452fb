#include "experiments/figures/measured_law.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::experiments {

namespace {

std::string path_of(std::string_view file) {
  return fmt::format("{}/data/measured/{}", REPOSE_SOURCE_DIR, file);
}

[[noreturn]] void lacks(std::string_view file, std::string_view what) {
  throw BadInput(fmt::format("{}: no {}", path_of(file), what));
}

toml::table entry_of(std::string_view file, std::string_view id) {
  toml::table root;
  try {
    root = toml::parse_file(path_of(file));
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}: {}", path_of(file), error.description()));
  }
  if (const toml::array* entries = root["entry"].as_array())
    for (const toml::node& one : *entries) {
      const toml::table* entry = one.as_table();
      if (entry == nullptr || (*entry)["id"].value_or(std::string_view()) != id) continue;
      if ((*entry)["status"].value_or(std::string_view("memory")) == "memory")
        throw BadInput(fmt::format("{}: {} is from memory and decides nothing", path_of(file), id));
      return *entry;
    }
  lacks(file, fmt::format("entry \"{}\"", id));
}

}  // namespace

double MeasuredLaw::at(double a) const {
  for (const Piece& piece : pieces)
    if (a >= piece.a_min && a < piece.a_max)
      return piece.prefactor * std::pow(a, piece.exponent) + piece.offset;
  throw std::out_of_range(fmt::format("{}: no law at a = {}", source, a));
}

MeasuredLaw measured_law(std::string_view file, std::string_view id) {
  const toml::table entry = entry_of(file, id);
  MeasuredLaw law{entry["source"].value_or(std::string()),
                  entry["status"].value_or(std::string()),
                  entry["quantity"].value_or(std::string()),
                  {}};
  const toml::array* pieces = entry["laws"].as_array();
  if (pieces == nullptr || pieces->empty()) lacks(file, fmt::format("laws of \"{}\"", id));
  for (const toml::node& one : *pieces) {
    const toml::table* piece = one.as_table();
    const auto prefactor = piece == nullptr ? std::nullopt : (*piece)["prefactor"].value<double>();
    const auto exponent = piece == nullptr ? std::nullopt : (*piece)["exponent"].value<double>();
    if (!prefactor || !exponent) lacks(file, fmt::format("prefactor and exponent in each law of \"{}\"", id));
    law.pieces.push_back({*prefactor, *exponent, (*piece)["offset"].value_or(0.0),
                          (*piece)["a_min"].value_or(0.0),
                          (*piece)["a_max"].value_or(std::numeric_limits<double>::infinity())});
  }
  return law;
}

double measured_number(std::string_view file, std::string_view id, std::string_view key) {
  const auto number = entry_of(file, id)[key].value<double>();
  if (!number) lacks(file, fmt::format("{} of \"{}\"", key, id));
  return *number;
}

std::vector<double> measured_series(std::string_view file, std::string_view id, std::string_view key) {
  const toml::table entry = entry_of(file, id);
  const toml::array* const listed = entry["series"][key].as_array();
  std::vector<double> series;
  if (listed != nullptr)
    for (const toml::node& one : *listed)
      if (const auto number = one.value<double>()) series.push_back(*number);
  if (series.empty() || series.size() != listed->size())
    lacks(file, fmt::format("series {} of \"{}\"", key, id));
  return series;
}

}  // namespace repose::experiments
