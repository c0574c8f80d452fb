#pragma once

#include "experiments/picture/picture.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// What the colours of a state's particles tell, by name: "material" (sand in the colours of grain_colour(), other materials
/// each in one), "speed" (‖v‖ [m/s]), "height" (above the domain's lowest point, against gravity [m]), and what the looks of
/// methods tell. All of them, each once. Where one is asked for, an empty name stands for the first that the scene's method
/// has.
const std::vector<std::string>& colour_names();
/// What words stand for, of each method: ". case: whether …"
std::string colour_meanings();
/// Whether it runs along a scale. @throws BadInput for a method that has no such colour
bool has_scale(const Scene& scene, std::string_view colour);

/// Values between which a scale of colours runs; the same for all pictures that are to be compared.
struct ColourRange {
  double low = 0.0;
  double high = 0.0;
};

/// What the particles' values span; nothing where colours stand for words, or without particles. @throws BadInput as colours()
std::optional<ColourRange> colour_range(const Snapshot& state, const Scene& scene, std::string_view by);

/// The smallest range around both.
std::optional<ColourRange> join(const std::optional<ColourRange>& a, const std::optional<ColourRange>& b);

/// What is told beside a picture.
struct Legend {
  struct Entry {
    Colour colour;
    std::string text;
  };
  std::vector<Entry> entries;  ///< colours that stand for words
  std::string scale;           ///< what the scale shows, with its unit; empty: there is none
  ColourRange range;           ///< of the scale
};
Legend legend(const Scene& scene, std::string_view by, const std::optional<ColourRange>& range);

/// One colour per particle.
/// @throws BadInput for a method that has no such colour, or a state without what the colours are to tell
std::vector<Colour> colours(const Snapshot& state, const Scene& scene, std::string_view by,
                            const std::optional<ColourRange>& range);

/// The scale's colour at a share of its range, clamped to [0, 1]: from dark to light.
Colour scale_colour(double share);

}  // namespace repose::experiments
