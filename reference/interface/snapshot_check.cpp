#include "reference/interface/snapshot_check.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace repose {

namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// A field of the table: what its elements belong to and how many numbers each has.
struct Expected {
  std::string_view name;
  Place place;
  int components;
};

bool has_nodes(Boundary at) {
  return at == boundary::p2g || at == boundary::forces || at == boundary::collisions ||
         at == boundary::friction;
}

std::string_view strain_of(Boundary at) { return at == boundary::update ? field::F_trial : field::F; }

/// The table of snapshot.h.
std::vector<Expected> fields_at(Boundary at, int d) {
  const Place particle = Place::particle;
  const Place node = Place::node;
  std::vector<Expected> all{
      {field::mass, particle, 1},       {field::volume, particle, 1}, {field::material, particle, 1},
      {field::x, particle, d},          {field::v, particle, d},      {field::C, particle, d * d},
      {strain_of(at), particle, d * d}, {field::q, particle, 1},      {field::v_c, particle, 1}};
  if (at == boundary::g2p) {
    all.push_back({field::v_bar, particle, d});
    all.push_back({field::grad_v, particle, d * d});
  }
  if (at == boundary::plasticity) all.push_back({field::plastic_case, particle, 1});
  if (!has_nodes(at)) return all;
  all.push_back({field::m_i, node, 1});
  all.push_back({field::p_i, node, d});
  if (at != boundary::p2g) all.push_back({field::p_star, node, d});
  if (at == boundary::collisions || at == boundary::friction) all.push_back({field::p_bar, node, d});
  if (at == boundary::friction) all.push_back({field::p_tilde, node, d});
  return all;
}

std::string_view plural_of(Place place) {
  return place == Place::particle ? "particles" : place == Place::node ? "nodes" : "state";
}

/// Looked for by bits, so that the loop has no branch and no order of additions.
bool all_finite(const std::vector<double>& values) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  bool bad = false;
  for (const double value : values) bad |= (std::bit_cast<std::uint64_t>(value) & exponent) == exponent;
  return !bad;
}

[[noreturn]] void blame(const std::string& what, std::int64_t particle, const Snapshot& snapshot) {
  throw SimulationError(what, particle, snapshot.step, snapshot.at);
}

/// Checks of one snapshot; says which particle, counted from the first of the solver, is at fault.
class Check {
 public:
  Check(const Snapshot& snapshot, const Scene& scene, std::size_t present)
      : snapshot_(snapshot), scene_(scene), present_(present) {}

  void run() const {
    require_moment();
    require_nodes();
    for (const auto& [name, place, components] : fields_at(snapshot_.at, scene_.dim()))
      require_field(snapshot_, name, place, components, present_);
    for (const auto& [name, components] :
         {std::pair{field::F_P, scene_.dim() * scene_.dim()}, std::pair{field::plastic_case, 1}})
      if (snapshot_.find(name) != nullptr)
        require_field(snapshot_, name, Place::particle, components, present_);
    require_positive(field::mass, "kg");
    require_positive(field::volume, scene_.dim() == 2 ? "m^2" : "m^3");
    require_indices();
    if (scene_.dim() == 2) require_orientation<2>();
    if (scene_.dim() == 3) require_orientation<3>();
    if (has_nodes(snapshot_.at)) require_node_masses();
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t particle) const {
    blame(what, static_cast<std::int64_t>(present_ + particle), snapshot_);
  }

  void require_moment() const {
    for (const auto& [name, value] : {std::pair{"time", snapshot_.time}, std::pair{"dt", snapshot_.dt}})
      if (!(value >= 0.0) || std::isinf(value)) refuse("{} = {} s is not in [0, inf)", name, value);
    if (snapshot_.step < 0) refuse("step = {} is negative", snapshot_.step);
  }

  void require_nodes() const {
    const auto& node = snapshot_.node;
    if (node.empty()) return;
    if (!has_nodes(snapshot_.at))
      refuse("{} nodes in a snapshot at {}, where there are none", node.size(), snapshot_.at);
    const Grid& grid = scene_.grid;
    const auto outside = [&](std::int64_t id) {
      return id < 0 || grid.node_index(id)[0] + Grid::margin >= grid.nodes(0);
    };
    for (const std::int64_t id : {node.front(), node.back()})
      if (outside(id)) refuse("node {} is not one of the grid", id);
    const auto fall = std::adjacent_find(node.begin(), node.end(), [](auto a, auto b) { return a >= b; });
    if (fall != node.end()) refuse("node {} follows {}: they must ascend", *(fall + 1), *fall);
  }

  void require_positive(std::string_view name, std::string_view unit) const {
    const auto& value = snapshot_.get(name).value;
    const auto bad = std::find_if(value.begin(), value.end(), [](double number) { return !(number > 0.0); });
    if (bad == value.end()) return;
    fail(fmt::format("particle {} {} {} is not > 0", name, *bad, unit),
         static_cast<std::size_t>(bad - value.begin()));
  }

  void require_indices() const {
    const auto is_below = [](double number, std::size_t count) {
      return number >= 0.0 && number < static_cast<double>(count) && number == std::floor(number);
    };
    for (const double index : snapshot_.get(field::material).value)
      if (!is_below(index, scene_.materials.size()))
        refuse("material {} does not exist: the scene has {}", index, scene_.materials.size());
    constexpr std::size_t cases = 4;
    if (const Field* found = snapshot_.find(field::plastic_case))
      for (const double number : found->value)
        if (!is_below(number, cases)) refuse("plastic case {} is none of 0, 1, 2, 3", number);
  }

  template <int d>
  void require_orientation() const {
    const auto& value = snapshot_.get(strain_of(snapshot_.at)).value;
    constexpr auto size = static_cast<std::size_t>(d * d);
    for (std::size_t p = 0; p < value.size() / size; ++p) {
      // Transposed, as the determinant does not mind.
      const double det = Eigen::Map<const Mat<d>>(value.data() + size * p).determinant();
      if (!(det > 0.0)) fail(fmt::format("inverted particle: det F = {}", det), p);
    }
  }

  void require_node_masses() const {
    const auto& mass = snapshot_.get(field::m_i).value;
    for (std::size_t n = 0; n < mass.size(); ++n)
      if (mass[n] < 0.0)
        blame(fmt::format("mass {} kg of node {} is negative", mass[n], snapshot_.node[n]), -1, snapshot_);
  }

  const Snapshot& snapshot_;
  const Scene& scene_;
  std::size_t present_;
};

}  // namespace

void require_loadable(const Snapshot& snapshot, const Scene& scene, std::span<const Boundary> boundaries) {
  if (std::find(boundaries.begin(), boundaries.end(), snapshot.at) == boundaries.end())
    refuse("no boundary '{}'", snapshot.at);
  Check(snapshot, scene, 0).run();
}

void require_appendable(const Snapshot& particles, const Scene& scene, std::size_t present) {
  if (particles.at != boundary::step_start)
    refuse("particles can be added at step_start only, not at {}", particles.at);
  Check(particles, scene, present).run();
}

void require_field(const Snapshot& snapshot, std::string_view name, Place place, int components,
                   std::size_t present) {
  const Field* found = snapshot.find(name);
  if (found == nullptr) refuse("no field '{}' in a snapshot at {}", name, snapshot.at);
  const auto k = static_cast<std::size_t>(components);
  const bool of_nodes = place == Place::node;
  const std::size_t count = of_nodes ? snapshot.node.size() : snapshot.particles();
  const auto& value = found->value;
  if (found->place != place || found->components != components || value.size() != k * count) {
    refuse("field '{}' has {} numbers, {} per element of the {}; {} {} need {}, {} each", name, value.size(),
           found->components, plural_of(found->place), count, plural_of(place), k * count, k);
  }
  if (all_finite(value)) return;
  const auto bad =
      std::find_if(value.begin(), value.end(), [](double number) { return !std::isfinite(number); });
  const auto element = static_cast<std::size_t>(bad - value.begin()) / k;
  if (of_nodes)
    blame(fmt::format("the field '{}' is not finite at node {}", name, snapshot.node[element]), -1, snapshot);
  blame(fmt::format("the field '{}' is not finite", name), static_cast<std::int64_t>(present + element),
        snapshot);
}

void load_from_file(Solver& solver, const Snapshot& snapshot, std::string_view file) {
  const auto refuse_file = [&](const std::exception& error) {
    throw BadInput(fmt::format("{}: no usable state: {}", file, error.what()));
  };
  try {
    solver.load(snapshot);
  } catch (const SimulationError& error) {
    refuse_file(error);
  } catch (const std::invalid_argument& error) {
    refuse_file(error);
  } catch (const BadInput& error) {
    refuse_file(error);
  }
}

}  // namespace repose
