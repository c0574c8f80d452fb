#include "reference/interface/particles/fresh_particles.h"

#include "reference/interface/methods/mpm.h"

#include <utility>

namespace repose {

void FreshParticles::add(double m, double V0, int material, const Point& x, const Point& v, const Mat<3>& C) {
  mass_.push_back(m);
  volume_.push_back(V0);
  material_.push_back(static_cast<double>(material));
  for (int a = 0; a < dim_; ++a) {
    x_.push_back(x[a]);
    v_.push_back(v[a]);
    for (int b = 0; b < dim_; ++b) C_.push_back(C(a, b));
  }
}

Snapshot FreshParticles::take() {
  Snapshot state;
  state.fields = method::particles_at_rest(method::mpm, dim_, mass_.size());
  state.get(field::mass).value = std::exchange(mass_, {});
  state.get(field::volume).value = std::exchange(volume_, {});
  state.get(field::material).value = std::exchange(material_, {});
  state.get(field::x).value = std::exchange(x_, {});
  state.get(field::v).value = std::exchange(v_, {});
  state.get(field::C).value = std::exchange(C_, {});
  return state;
}

}  // namespace repose
