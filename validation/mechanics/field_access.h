#pragma once

#include "reference/interface/snapshot.h"
#include "validation/mechanics/arithmetic.h"

#include <cmath>
#include <span>
#include <unordered_map>

namespace repose::crosscheck {

/// Components of one element.
inline std::span<const double> element(const Field& field, std::size_t index) {
  const auto k = static_cast<std::size_t>(field.components);
  return std::span<const double>(field.value).subspan(index * k, k);
}

inline Point point(const Field& field, std::size_t index) {
  Point result = Point::Zero();
  const auto values = element(field, index);
  for (std::size_t a = 0; a < values.size() && a < 3; ++a) result[static_cast<Eigen::Index>(a)] = values[a];
  return result;
}

/// A point without what dimensions beyond d hold.
inline Point in_dimensions(Point x, int dim) {
  if (dim < 3) x[2] = 0.0;
  return x;
}

/// Euclidean norm of the carried errors of one element; 0 where nothing is carried.
inline double carried_norm(const Carried& carried, std::string_view field, std::size_t index,
                           int components) {
  const auto found = carried.find(field);
  if (found == carried.end()) return 0.0;
  const auto k = static_cast<std::size_t>(components);
  double sum = 0.0;
  for (std::size_t a = 0; a < k; ++a)
    sum += found->second.at(index * k + a) * found->second.at(index * k + a);
  return std::sqrt(sum);
}

/// Where a node id stands in a snapshot's list.
inline std::unordered_map<std::int64_t, std::size_t> node_places(const Snapshot& snapshot) {
  std::unordered_map<std::int64_t, std::size_t> result;
  result.reserve(snapshot.count(Place::node));
  for (std::size_t n = 0; n < snapshot.count(Place::node); ++n)
    result.emplace(snapshot.ids(Place::node)[n], n);
  return result;
}

}  // namespace repose::crosscheck
