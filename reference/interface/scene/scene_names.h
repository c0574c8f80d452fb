#pragma once

#include "reference/interface/scene/scene.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace repose {

/// Spelling of the choices in scene files, for reading and writing.
template <class T>
using Names = std::vector<std::pair<std::string_view, T>>;

namespace names {

inline const Names<MaterialKind> material_kind{
    {"sand", MaterialKind::sand}, {"elastic", MaterialKind::elastic}, {"water", MaterialKind::water}};
inline const Names<HardeningApart> hardening_apart{
    {"opening", HardeningApart::opening}, {"opening_and_closing", HardeningApart::opening_and_closing}};
inline const Names<Sampling> sampling{{"poisson_disk", Sampling::poisson_disk},
                                      {"regular", Sampling::regular},
                                      {"jittered", Sampling::jittered}};
inline const Names<Contact> contact{
    {"sticky", Contact::sticky}, {"slipping", Contact::slipping}, {"separating", Contact::separating}};
/// Walls of a room in the order in which their contacts are resolved.
inline constexpr std::array<std::string_view, 6> walls{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

template <class T>
std::string_view of(T value, const Names<T>& all) {
  for (const auto& [name, v] : all) {
    if (v == value) return name;
  }
  return "?";
}

}  // namespace names

}  // namespace repose
