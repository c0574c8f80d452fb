#include "experiments/picture/state_colours.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "validation/metrics/elastic_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

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

/// Where a particle's stress lies.
enum class StressCase : unsigned char { elastic, inside, surface, tip };
constexpr std::array<std::pair<Colour, std::string_view>, 4> case_legend{
    {{{0.55F, 0.55F, 0.58F}, "elastic material"},
     {{0.18F, 0.55F, 0.24F}, "inside the cone: sticks"},
     {{0.16F, 0.36F, 0.69F}, "on the cone: slips"},
     {{0.78F, 0.20F, 0.17F}, "at the tip: free of stress"}}};

/// Field of a state that is drawn. @throws BadInput where there is none of that size
const std::vector<double>& values(const Snapshot& state, std::string_view name, int components) {
  const Field* found = state.find(name);
  const std::size_t wanted = state.particles() * static_cast<std::size_t>(components);
  if (found == nullptr || found->components != components || found->value.size() != wanted)
    throw BadInput(fmt::format("the state has no field '{}' to draw", name));
  return found->value;
}

const Material& material_of(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const double index = values(state, field::material, 1)[particle];
  if (!(index >= 0.0 && index < static_cast<double>(scene.materials.size())))
    throw BadInput(fmt::format("particle {} has no material", particle));
  return scene.materials[static_cast<std::size_t>(index)];
}

PrincipalStrain strain_of(const Snapshot& state, const Scene& scene, std::size_t particle) {
  values(state, field::F, scene.dim() * scene.dim());
  try {
    return principal_strain(state.get(field::F), particle, scene.dim());
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("particle {}: {}", particle, error.what()));
  }
}

StressCase stress_case(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const Material& material = material_of(state, scene, particle);
  if (material.kind == MaterialKind::elastic) return StressCase::elastic;
  // Strains of single precision are known to some 10⁻⁷; the return leaves exactly the identity at the tip.
  constexpr double rounding = 1e-6;
  const PrincipalStrain strain = strain_of(state, scene, particle);
  if (std::abs(strain.trace()) <= rounding && strain.deviator_norm() <= rounding) return StressCase::tip;
  const double q = values(state, field::q, 1)[particle];
  const double alpha = cone_slope(hardened_angle(material.friction, q));
  const double outside = yield_residual(strain, lame(material), alpha);
  return outside >= -(rounding + 1e-3 * strain.deviator_norm()) ? StressCase::surface : StressCase::inside;
}

double scalar(const Snapshot& state, const Scene& scene, ColourBy by, std::size_t particle) {
  const auto d = static_cast<std::size_t>(scene.dim());
  const auto vector = [&](std::string_view name) {
    const std::vector<double>& all = values(state, name, scene.dim());
    Point v = Point::Zero();
    for (std::size_t axis = 0; axis < d; ++axis)
      v[static_cast<Eigen::Index>(axis)] = all[d * particle + axis];
    return v;
  };
  switch (by) {
    case ColourBy::speed:
      return vector(field::v).norm();
    case ColourBy::height: {
      const Point up = scene.gravity.isZero(0.0) ? Point::UnitY() : (-scene.gravity.normalized()).eval();
      Point lowest = scene.grid.domain_min;
      for (int axis = 0; axis < scene.dim(); ++axis) {
        if (up[axis] < 0.0) lowest[axis] = scene.grid.domain_max()[axis];
      }
      return (vector(field::x) - lowest).dot(up);
    }
    case ColourBy::hardening:
      return values(state, field::q, 1)[particle];
    case ColourBy::pressure: {
      const auto tau =
          kirchhoff_stress(strain_of(state, scene, particle), lame(material_of(state, scene, particle)));
      return -1e-3 * (tau[0] + tau[1] + tau[2]) / scene.dim();
    }
    case ColourBy::material:
    case ColourBy::plastic_case:
      break;
  }
  return 0.0;
}

bool has_scale(ColourBy by) { return by != ColourBy::material && by != ColourBy::plastic_case; }

Colour material_colour(const Scene& scene, std::size_t index) {
  if (index == 0 && scene.materials.front().kind == MaterialKind::sand) return sand_colour;
  return others[(index == 0 ? 0 : index - 1) % others.size()];
}

}  // namespace

const std::vector<std::string>& colour_names() {
  static const std::vector<std::string> names{"material", "speed", "height", "case", "hardening", "pressure"};
  return names;
}

ColourBy colour_from(std::string_view name) {
  const auto& names = colour_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw BadInput(fmt::format("--colour {}: is not one of {}", name, fmt::join(names, ", ")));
  return static_cast<ColourBy>(found - names.begin());
}

std::optional<ColourRange> colour_range(const Snapshot& state, const Scene& scene, ColourBy by) {
  if (!has_scale(by)) return std::nullopt;
  std::optional<ColourRange> range;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const double value = scalar(state, scene, by, p);
    if (std::isfinite(value)) range = join(range, ColourRange{.low = value, .high = value});
  }
  // Where the least that there can be is 0, the scale starts there.
  if (range && (by == ColourBy::speed || by == ColourBy::hardening)) {
    range = join(range, ColourRange{});
  }
  return range;
}

std::optional<ColourRange> join(const std::optional<ColourRange>& a, const std::optional<ColourRange>& b) {
  if (!a || !b) return a ? a : b;
  return ColourRange{.low = std::min(a->low, b->low), .high = std::max(a->high, b->high)};
}

Legend legend(const Scene& scene, ColourBy by, const std::optional<ColourRange>& range) {
  Legend result;
  if (by == ColourBy::material) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
      result.entries.push_back({material_colour(scene, i), scene.materials[i].name});
  } else if (by == ColourBy::plastic_case) {
    const auto is_elastic = [](const Material& material) { return material.kind == MaterialKind::elastic; };
    const bool elastic = std::any_of(scene.materials.begin(), scene.materials.end(), is_elastic);
    for (std::size_t i = elastic ? 0 : 1; i < case_legend.size(); ++i)
      result.entries.push_back({case_legend[i].first, std::string(case_legend[i].second)});
  } else {
    result.scale = by == ColourBy::speed       ? "speed [m/s]"
                   : by == ColourBy::height    ? "height [m]"
                   : by == ColourBy::hardening ? "hardening state q [1]"
                                               : "pressure [kPa]";
    result.range = range.value_or(ColourRange{});
  }
  return result;
}

std::vector<Colour> colours(const Snapshot& state, const Scene& scene, ColourBy by,
                            const std::optional<ColourRange>& range) {
  std::vector<Colour> result(state.particles());
  for (std::size_t p = 0; p < result.size(); ++p) {
    if (by == ColourBy::material) {
      const auto index = static_cast<std::size_t>(&material_of(state, scene, p) - scene.materials.data());
      const Colour plain = material_colour(scene, index);
      result[p] = plain == sand_colour ? grain_colour(p) : plain;
    } else if (by == ColourBy::plastic_case) {
      result[p] = case_legend[static_cast<std::size_t>(stress_case(state, scene, p))].first;
    } else {
      const ColourRange span = range.value_or(ColourRange{});
      const double extent = span.high - span.low;
      result[p] = scale_colour(extent > 0.0 ? (scalar(state, scene, by, p) - span.low) / extent : 0.0);
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
