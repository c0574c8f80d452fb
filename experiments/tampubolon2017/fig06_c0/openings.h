#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/metrics/occupied.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What the paper leaves open: the unit of the strains in a and c₀, and how heavy the sand is.
struct OpeningReading {
  std::string_view name;    ///< as in names of numbers
  double unit = 0.01;       ///< of strains: 0.01 or 1
  double density = 2000.0;  ///< [kg/m³]

  bool operator==(const OpeningReading&) const = default;
};

/// Per cent, as erratum T37 adopts; plain; plain with the density that Table 2 prints for Figure 10.
const std::vector<OpeningReading>& opening_readings();

/// The paper's four c₀.
const std::vector<double>& opening_c0();

/// What one collapsing block has that others have not.
struct OpeningCase {
  OpeningReading reading{};
  std::optional<double> c0{};  ///< none: Hencky's energy, and nothing of the reading but its density
  Integrator integrator = Integrator::semi_implicit;

  bool operator==(const OpeningCase&) const = default;
};

/// What all blocks of a preset have.
struct OpeningSetup {
  double spacing = 0.008;  ///< h [m]
  double duration = 0.5;   ///< [s]
  std::vector<double> c0;  ///< of the paper's four
};
OpeningSetup opening_setup(Preset preset);

/// By reading, semi-implicit before explicit, in the order of c₀; blocks of Hencky's energy last.
std::vector<OpeningCase> opening_cases(const OpeningSetup& setup);

Scene opening_scene(const OpeningSetup& setup, const OpeningCase& chosen);

/// The sand at the end of a frame.
struct OpeningFrame {
  double time = 0.0;           ///< [s]
  metrics::Occupied occupied;  ///< [m²]
  double width = 0.0;          ///< from the first grain to the last [m]
  double height = 0.0;         ///< mean of the grains [m]
  double unborne = 0.0;        ///< the same of grains that fall freely and stay where they meet the floor [m]
  double whole = 0.0;          ///< share of particles in region A, h = 1 [-]
  double none = 0.0;           ///< share of particles in region C, h = 0 [-]
  double least_J = 1.0;        ///< smallest det F of the elastic deformation [-]
};

struct OpeningRun : SceneRun {
  OpeningCase chosen;
  double grains = 0.0;  ///< Σ V⁰ [m²]
  std::vector<OpeningFrame> frames;
  std::vector<Point> early, late;  ///< particles at 0.15 s and at the last frame [m]

  /// The frame at 0.15 s, and the one at the end of the scene; nullptr if the run ended before.
  const OpeningFrame* at_early() const;
  const OpeningFrame* at_end() const;
  /// What the sand lost of its volume until then, by one measure, over that of the grains; nan without a frame.
  double loss(const OpeningFrame* then, double metrics::Occupied::*measure) const;
  /// What no measure tells apart: half a cell over the free surface, as long as the sand lies wide.
  double resolved(const OpeningFrame* then) const;
  /// Of the fall of grains that nothing bears, the share by which this sand fell until then [-]
  double fallen(const OpeningFrame* then) const;
};

/// A run that fails is kept with what it came to.
OpeningRun collapse_once(const OpeningSetup& setup, const OpeningCase& chosen, const FigureRequest& request);

std::string name_of(const OpeningCase& chosen);  ///< as in names of numbers: "c0_1p1_per_cent_explicit"

/// The largest vertical Cauchy stress that a case's energy gives, over ρ g L, the pressure at the foot of the block [-].
struct Bearing {
  double confined = 0.0;     ///< of sand that cannot yield sideways: ε = (0, −e)
  double on_the_cone = 0.0;  ///< of sand that slips sideways: ε on the surface of the cone, in the plane
};
Bearing bearing(const OpeningCase& chosen);

std::vector<Number> judge(const std::vector<OpeningRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
