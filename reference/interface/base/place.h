#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace repose {

/// What a quantity belongs to. Of each kind a state has a set of elements, each with an id: particles and bodies by number,
/// places of the grid as Grid says.
enum class Place : std::uint8_t {
  particle,
  node,
  cell,
  face_x,  ///< across which things move along x
  face_y,
  face_z,
  edge_xy,  ///< parallel to the third axis; in two dimensions the corners
  edge_xz,
  edge_yz,
  body,
  scene,  ///< one element
};
inline constexpr std::size_t place_kinds = 11;

namespace names {

struct PlaceName {
  Place place;
  std::string_view one;
  std::string_view several;
};

inline constexpr std::array<PlaceName, place_kinds> places{{
    {Place::particle, "particle", "particles"},
    {Place::node, "node", "nodes"},
    {Place::cell, "cell", "cells"},
    {Place::face_x, "face_x", "x-faces"},
    {Place::face_y, "face_y", "y-faces"},
    {Place::face_z, "face_z", "z-faces"},
    {Place::edge_xy, "edge_xy", "xy-edges"},
    {Place::edge_xz, "edge_xz", "xz-edges"},
    {Place::edge_yz, "edge_yz", "yz-edges"},
    {Place::body, "body", "bodies"},
    {Place::scene, "scene", "state"},
}};

constexpr const PlaceName& of(Place place) { return places[static_cast<std::size_t>(place)]; }

}  // namespace names

/// Whether a place is one of the grid.
constexpr bool on_grid(Place place) { return place >= Place::node && place <= Place::edge_yz; }

}  // namespace repose
