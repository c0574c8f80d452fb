#include "experiments/picture/mixture/look.h"

#include "reference/interface/methods/mixture.h"

namespace repose::experiments {

namespace {

double cohesion_of_grain(const Snapshot& state, const Scene&, std::size_t particle) {
  return drawn_values(state, field::c_C, 1)[particle];
}

double compression_of_water(const Snapshot& state, const Scene&, std::size_t particle) {
  return 1.0 - drawn_values(state, field::J, 1)[particle];
}

}  // namespace

Look mixture_look() {
  return {.method = method::mixture.name,
          .velocity = field::v,
          .material = field::material,
          .volume = field::volume,
          .scales = {{"cohesion", "cohesion [Pa]", true, cohesion_of_grain},
                     {"compression", "compression of water, 1 - J [1]", false, compression_of_water}}};
}

}  // namespace repose::experiments
