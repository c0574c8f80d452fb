#pragma once

#include "experiments/picture/picture.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repose::experiments {

/// A colour along a scale from dark to light.
struct ScaleColour {
  std::string_view name;   ///< on the command line
  std::string_view label;  ///< with the unit: "speed [m/s]"
  bool from_zero = false;  ///< 0 is the least that there can be: there the scale starts
  /// Of a particle. @throws BadInput for a state without what it takes
  double (*value)(const Snapshot& state, const Scene& scene, std::size_t particle) = nullptr;
};

/// Colours that stand for words.
struct WordColour {
  std::string_view name;  ///< on the command line
  std::string_view what;  ///< they tell
  std::vector<std::pair<Colour, std::string_view>> words;
  /// Whether the legend of a scene needs a word. Null: all
  bool (*shown)(const Scene& scene, std::size_t word) = nullptr;
  /// A particle's word. @throws BadInput for a state without what it takes
  std::size_t (*word)(const Snapshot& state, const Scene& scene, std::size_t particle) = nullptr;
};

/// What pictures ask of a method's particles: each whose states are drawn brings one.
struct Look {
  std::string_view method;
  /// Fields of a particle. Empty: none, and no colour by it
  std::string_view velocity{}, material{};
  std::string_view volume{};          ///< [m^d]; empty: all have that of half a cell's edge
  std::vector<ScaleColour> scales{};  ///< besides speed and height
  std::vector<WordColour> words{};    ///< besides materials
};

/// All of them: the one place of pictures that knows methods by name (looks.cpp).
const std::vector<Look>& looks();

/// Of a scene's method; of one that brings none, places alone.
const Look& look_of(const Scene& scene);

/// Field of a state that is drawn. @throws BadInput where there is none of that size
const std::vector<double>& drawn_values(const Snapshot& state, std::string_view name, int components);

/// @throws BadInput for a particle without a material of the scene
std::size_t material_index(const Snapshot& state, const Scene& scene, std::size_t particle);

}  // namespace repose::experiments
