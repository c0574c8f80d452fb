#include "experiments/picture/state_colours.h"

#include "experiments/picture/look.h"
#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::experiments {

namespace {

constexpr Colour sand_colour{225.0F / 255.0F, 169.0F / 255.0F, 95.0F / 255.0F};
constexpr std::array<Colour, 7> others{{{0.20F, 0.42F, 0.64F},
                                        {0.72F, 0.30F, 0.24F},
                                        {0.30F, 0.55F, 0.33F},
                                        {0.52F, 0.36F, 0.62F},
                                        {0.20F, 0.60F, 0.62F},
                                        {0.85F, 0.62F, 0.10F},
                                        {0.45F, 0.45F, 0.48F}}};

Point vector_of(const Snapshot& state, const Scene& scene, std::string_view name, std::size_t particle) {
  const std::vector<double>& all = drawn_values(state, name, scene.dim());
  const auto d = static_cast<std::size_t>(scene.dim());
  Point v = Point::Zero();
  for (std::size_t axis = 0; axis < d; ++axis) v[static_cast<Eigen::Index>(axis)] = all[d * particle + axis];
  return v;
}

double speed(const Snapshot& state, const Scene& scene, std::size_t particle) {
  return vector_of(state, scene, look_of(scene).velocity, particle).norm();
}

double height(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const Point up = scene.gravity.isZero(0.0) ? Point::UnitY() : (-scene.gravity.normalized()).eval();
  Point lowest = scene.grid.domain_min;
  for (int axis = 0; axis < scene.dim(); ++axis) {
    if (up[axis] < 0.0) lowest[axis] = scene.grid.domain_max()[axis];
  }
  return (vector_of(state, scene, field::x, particle) - lowest).dot(up);
}

constexpr std::string_view by_material = "material";
constexpr ScaleColour by_speed{"speed", "speed [m/s]", true, speed};
constexpr ScaleColour by_height{"height", "height [m]", false, height};

/// One of the ways in which particles of a scene's method are coloured: a scale, or words, or neither for their materials.
struct Way {
  const ScaleColour* scale = nullptr;
  const WordColour* words = nullptr;
};

/// @param visit (name, way)
template <class Visit>
void for_each_way(const Look& look, Visit visit) {
  if (!look.material.empty()) visit(by_material, Way{});
  if (!look.velocity.empty()) visit(by_speed.name, Way{.scale = &by_speed});
  visit(by_height.name, Way{.scale = &by_height});
  for (const WordColour& one : look.words) visit(one.name, Way{.words = &one});
  for (const ScaleColour& one : look.scales) visit(one.name, Way{.scale = &one});
}

Colour material_colour(const Scene& scene, std::size_t index) {
  if (index == 0 && scene.materials.front().kind == MaterialKind::sand) return sand_colour;
  return others[(index == 0 ? 0 : index - 1) % others.size()];
}

/// @throws BadInput where particles of the scene's method are not coloured so
Way way_of(const Scene& scene, std::string_view colour) {
  std::optional<Way> found;
  std::vector<std::string_view> there;
  for_each_way(look_of(scene), [&](std::string_view name, const Way& way) {
    if (name == colour || (colour.empty() && !found)) found = way;
    there.push_back(name);
  });
  if (!found)
    throw BadInput(fmt::format("--colour {}: what steps by {} is coloured by {}", colour,
                               scene.scheme.method(), fmt::join(there, ", ")));
  return *found;
}

}  // namespace

const std::vector<std::string>& colour_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const Look& look : looks())
      for_each_way(look, [&](std::string_view name, const Way&) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
      });
    return names;
  }();
  return all;
}

std::string colour_meanings() {
  std::string text;
  for (const Look& look : looks())
    for (const WordColour& one : look.words) text += fmt::format(". {}: {}", one.name, one.what);
  return text;
}

bool has_scale(const Scene& scene, std::string_view colour) { return way_of(scene, colour).scale != nullptr; }

std::optional<ColourRange> colour_range(const Snapshot& state, const Scene& scene, std::string_view by) {
  const ScaleColour* const scale = way_of(scene, by).scale;
  if (scale == nullptr) return std::nullopt;
  std::optional<ColourRange> range;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const double value = scale->value(state, scene, p);
    if (std::isfinite(value)) range = join(range, ColourRange{.low = value, .high = value});
  }
  if (range && scale->from_zero) range = join(range, ColourRange{});
  return range;
}

std::optional<ColourRange> join(const std::optional<ColourRange>& a, const std::optional<ColourRange>& b) {
  if (!a || !b) return a ? a : b;
  return ColourRange{.low = std::min(a->low, b->low), .high = std::max(a->high, b->high)};
}

Legend legend(const Scene& scene, std::string_view by, const std::optional<ColourRange>& range) {
  const Way way = way_of(scene, by);
  Legend result;
  if (way.scale != nullptr) {
    result.scale = way.scale->label;
    result.range = range.value_or(ColourRange{});
  } else if (way.words != nullptr) {
    for (std::size_t k = 0; k < way.words->words.size(); ++k)
      if (way.words->shown == nullptr || way.words->shown(scene, k))
        result.entries.push_back({way.words->words[k].first, std::string(way.words->words[k].second)});
  } else {
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
      result.entries.push_back({material_colour(scene, i), scene.materials[i].name});
  }
  return result;
}

std::vector<Colour> colours(const Snapshot& state, const Scene& scene, std::string_view by,
                            const std::optional<ColourRange>& range) {
  const Way way = way_of(scene, by);
  const ColourRange span = range.value_or(ColourRange{});
  const double extent = span.high - span.low;
  std::vector<Colour> result(state.particles());
  for (std::size_t p = 0; p < result.size(); ++p) {
    if (way.scale != nullptr) {
      const double above = way.scale->value(state, scene, p) - span.low;
      result[p] = scale_colour(extent > 0.0 ? above / extent : 0.0);
    } else if (way.words != nullptr) {
      result[p] = way.words->words.at(way.words->word(state, scene, p)).first;
    } else {
      const Colour plain = material_colour(scene, material_index(state, scene, p));
      result[p] = plain == sand_colour ? grain_colour(p) : plain;
    }
  }
  return result;
}

Colour scale_colour(double share) {
  // Each step is lighter than the one before, so that the order shows without its hues as well.
  constexpr std::array<Colour, 6> steps{{{0.13F, 0.10F, 0.33F},
                                         {0.20F, 0.27F, 0.58F},
                                         {0.12F, 0.48F, 0.60F},
                                         {0.24F, 0.66F, 0.48F},
                                         {0.63F, 0.80F, 0.30F},
                                         {0.98F, 0.90F, 0.35F}}};
  const double place = (share >= 0.0 ? std::min(share, 1.0) : 0.0) * (steps.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), steps.size() - 2);
  const auto part = static_cast<float>(place - static_cast<double>(i));
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c) colour[c] = steps[i][c] + part * (steps[i + 1][c] - steps[i][c]);
  return colour;
}

}  // namespace repose::experiments
