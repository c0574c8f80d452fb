#pragma once

#include "reference/interface/particles/random.h"
#include "validation/crosscheck/cases.h"

#include <vector>

namespace repose::crosscheck {

inline bool chance(Random& random, double share) { return random.unit() < share; }

/// Sand of any friction law, or an elastic body.
Material draw_material(Random& random, bool elastic);

/// Cohesion with a tip that the smallest strains still pass, both rules of hardening, the unilateral energy.
void draw_cohesion(Case& c, Random& random);

/// Deals materials, strains, hardening and volumes gained out among the particles.
/// @param inward away from the border of the domain at which they stand; zero: at none
void draw_strains(Case& c, const Point& inward, Random& random);

/// What must have happened to the sand and the elastic bodies for the drawn scene to be worth a pass.
void need_yield(Case& c);

/// Where the volumes of one water of a drawn scene begin.
struct Volumes {
  double least = 0.0, most = 0.0;  ///< ln J
  bool near_rest = false;          ///< 1 ± 10⁻¹⁷ to 10⁻³ and 1 itself instead
  bool crushed = false;            ///< down to 10⁻¹ to 10⁻³ of the volume at rest
};

/// Water that bears tension or not by turns, and begins near rest, crushed or neither by turns; so stiff that its pressures stay
/// below some 10⁵ Pa at all its volumes.
/// @param number of waters dealt before
Material draw_water(Random& random, int number, Volumes& volumes);

/// Deals the waters out among the particles, each with a volume of its own.
/// @param volumes one per material
void draw_volumes(Case& c, const std::vector<Volumes>& volumes, Random& random);

/// That each water was met, pressed and stretched as it was drawn.
void need_volumes(Case& c, const std::vector<Volumes>& volumes);

}  // namespace repose::crosscheck
