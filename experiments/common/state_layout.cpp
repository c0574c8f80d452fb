#include "experiments/common/state_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace repose::experiments::layout {

namespace {

/// FNV-1a over words of 64 bits: each step is a bijection of the sum, so one wrong word is always seen.
class Checksum {
 public:
  void add(std::uint64_t word) { sum_ = (sum_ ^ word) * 0x100000001b3U; }
  void add(std::int64_t word) { add(std::bit_cast<std::uint64_t>(word)); }
  void add(double word) { add(std::bit_cast<std::uint64_t>(word)); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  template <class T>
  void add(const std::vector<T>& words) {
    add(std::uint64_t{words.size()});
    for (const T word : words) add(word);
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

constexpr std::array places{std::pair{Place::particle, std::string_view("particle")},
                            std::pair{Place::node, std::string_view("node")},
                            std::pair{Place::global, std::string_view("global")}};

constexpr std::array boundaries{boundary::step_start, boundary::p2g, boundary::forces, boundary::collisions,
                                boundary::friction,   boundary::g2p, boundary::update, boundary::plasticity};

}  // namespace

Location locate(const Field& field, int dim) {
  if (field.name.empty() || field.name == "." || field.name.find('/') != std::string::npos) {
    throw std::logic_error(fmt::format("'{}' cannot be the name of a stored field", field.name));
  }
  const int k = field.components;
  if (field.name.starts_with(field::native_prefix)) return {"repose/native", field.name, k};
  if (field.place == Place::node) return {"repose/node", field.name, k};
  if (field.place == Place::global) return {"repose/global", field.name, k};
  if (field.name == field::x) return {"VTKHDF", "Points", 3};
  if (k == dim) return {"VTKHDF/PointData", field.name, 3};
  // The widths VTK's reader takes; any other would make the whole file unreadable to it.
  if (k == 1 || k == 3 || k == 4 || k == 6 || k == 9) return {"VTKHDF/PointData", field.name, k};
  return {"repose/particle", field.name, k};
}

std::vector<std::string> field_groups() {
  return {"VTKHDF/PointData", "repose/native", "repose/node", "repose/global", "repose/particle"};
}

std::vector<double> resize_elements(const std::vector<double>& values, int from, int to) {
  const auto before = static_cast<std::size_t>(from);
  const auto after = static_cast<std::size_t>(to);
  const std::size_t elements = values.size() / before;
  std::vector<double> result(elements * after, 0.0);
  for (std::size_t e = 0; e < elements; ++e) {
    for (std::size_t k = 0; k < std::min(before, after); ++k) result[e * after + k] = values[e * before + k];
  }
  return result;
}

std::string_view to_string(Place place) {
  return std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.first == place; })->second;
}

Place place_of(std::string_view name) {
  for (const auto& [place, text] : places) {
    if (text == name) return place;
  }
  throw hdf5::Error(fmt::format("unknown place '{}'", name));
}

Boundary boundary_of(std::string_view name) {
  for (const Boundary at : boundaries) {
    if (at == name) return at;
  }
  throw hdf5::Error(fmt::format("unknown boundary '{}'", name));
}

std::string checksum(const Snapshot& snapshot, const StateOrigin& origin) {
  Checksum sum;
  sum.add(origin.frame);
  sum.add(std::string_view(origin.solver));
  sum.add(std::string_view(origin.precision));
  sum.add(snapshot.at);
  sum.add(snapshot.time);
  sum.add(snapshot.dt);
  sum.add(snapshot.step);
  sum.add(snapshot.node);
  for (const Field& field : snapshot.fields) {
    sum.add(std::string_view(field.name));
    sum.add(std::string_view(field.unit));
    sum.add(to_string(field.place));
    sum.add(std::int64_t{field.components});
    sum.add(field.value);
  }
  return fmt::format("fnv1a64x8:{:016x}", sum.sum());
}

}  // namespace repose::experiments::layout
