#include "validation/crosscheck/mpm/case_states.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>

namespace repose::crosscheck {

namespace {

void write_matrix(Field& field, std::size_t p, const Tensor& value, int dim) {
  auto to = field.value.begin() + static_cast<std::ptrdiff_t>(p) * dim * dim;
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b) *to++ = value(a, b);
}

}  // namespace

void place_alike(Case& c, const std::vector<Point>& places, double volume) {
  const int dim = c.setup.dim;
  const std::size_t count = places.size();
  Snapshot& s = c.start;
  s.method = method::mpm.name;
  s.fields = method::state_at_rest(method::mpm, dim, count);
  s.get(field::mass).value.assign(count, c.scene.materials.at(0).density * volume);
  s.get(field::volume).value.assign(count, volume);
  for (std::size_t p = 0; p < count; ++p)
    for (int a = 0; a < dim; ++a)
      s.get(field::x).value[p * static_cast<std::size_t>(dim) + static_cast<std::size_t>(a)] = places[p][a];
}

void place_particles(Case& c, const std::vector<Point>& places, double volume) {
  place_alike(c, places, volume);
  Random random(21);
  for (std::size_t p = 0; p < places.size(); ++p) {
    const double larger = random.between(0.6, 1.4);
    const double denser = random.between(0.75, 1.25);
    c.start.get(field::volume).value[p] *= larger;
    c.start.get(field::mass).value[p] *= larger * denser;
  }
}

void fill_block(Case& c, const std::array<int, 3>& first, const std::array<int, 3>& last, int per_axis,
                std::uint64_t seed) {
  const int dim = c.setup.dim;
  const double h = c.scene.grid.h;
  const double part = h / per_axis;
  Random random(seed);
  std::vector<Point> places;
  const int depth_first = dim > 2 ? first[2] * per_axis : 0;
  const int depth_last = dim > 2 ? last[2] * per_axis : 1;
  for (int i = first[0] * per_axis; i < last[0] * per_axis; ++i)
    for (int j = first[1] * per_axis; j < last[1] * per_axis; ++j)
      for (int k = depth_first; k < depth_last; ++k) {
        const double a = random.unit();
        const double b = random.unit();
        const double e = random.unit();
        Point x = c.scene.grid.domain_min + part * Point(i + a, j + b, k + e);
        if (dim < 3) x[2] = 0.0;
        places.push_back(x);
      }
  place_particles(c, places, std::pow(part, dim));
}

void set_motion(Case& c, std::size_t p, const Point& v, const Tensor& C) {
  const auto d = static_cast<std::size_t>(c.setup.dim);
  for (std::size_t a = 0; a < d; ++a)
    c.start.get(field::v).value[p * d + a] = v[static_cast<Eigen::Index>(a)];
  if (transfer_of(c.setup) == Transfer::apic) write_matrix(c.start.get(field::C), p, C, c.setup.dim);
}

void shake(Case& c, const Point& base, double speed, double rate, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    Point v = base;
    Tensor C = Tensor::Zero();
    for (int a = 0; a < c.setup.dim; ++a) {
      v[a] += random.between(-speed, speed);
      for (int b = 0; b < c.setup.dim; ++b) C(a, b) = random.between(-rate, rate);
    }
    set_motion(c, p, v, C);
  }
}

Tensor random_rotation(int dim, Random& random) {
  const double angle = random.between(0.0, 2.0 * std::numbers::pi);
  Point axis = Point::UnitZ();
  if (dim > 2) {
    axis[2] = random.between(-1.0, 1.0);
    const double around = random.between(0.0, 2.0 * std::numbers::pi);
    const double radius = std::sqrt(1.0 - axis[2] * axis[2]);
    axis[0] = radius * std::cos(around);
    axis[1] = radius * std::sin(around);
  }
  Tensor result = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  if (dim < 3) result(2, 2) = 0.0;
  return result;
}

void set_stretch(Case& c, std::size_t p, const Point& log_stretch, Random& random) {
  const Tensor left = random_rotation(c.setup.dim, random);
  const Tensor right = random_rotation(c.setup.dim, random);
  const Point stretch = log_stretch.array().exp();
  write_matrix(c.start.get(field::F), p, left * stretch.asDiagonal() * right, c.setup.dim);
}

void mix_strains(Case& c, double size, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    Point shear = Point::Zero();
    for (int a = 0; a < c.setup.dim; ++a) shear[a] = random.between(-size, size);
    const double volume = random.between(0.3 * size, size);
    Point eps = Point::Zero();
    switch (p % 4) {
      case 0:
        eps = 0.1 * shear - Point::Constant(volume);
        break;
      case 1:
        eps = shear - Point::Constant(0.3 * volume);
        break;
      case 2:
        eps = shear + Point::Constant(volume);
        break;
      default: {
        const double gap = std::pow(10.0, random.between(-17.0, -3.0));
        eps = Point::Constant(-volume) + gap * Point(0.0, 1.0, 2.0);
      }
    }
    set_stretch(c, p, eps, random);
  }
}

void randomize(Case& c, std::string_view name, double low, double high, std::uint64_t seed) {
  Random random(seed);
  for (double& value : c.start.get(name).value) value = random.between(low, high);
}

}  // namespace repose::crosscheck
