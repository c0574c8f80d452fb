#include "validation/faults/mixture/model.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_parts.h"
#include "validation/crosscheck/mixture/part_stage.h"
#include "validation/faults/mixture/model_coupling.h"
#include "validation/faults/mpm/model.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace repose::faults {

namespace {

using mixture::Members;
using mixture::Phase;

/// A state at the next boundary: what it holds already, and blanks for what the stage is to make.
Snapshot at_next(const Snapshot& state, Boundary to, std::vector<std::int64_t> nodes, int dim) {
  Snapshot next = state;
  next.at = to;
  next.fields.clear();
  next.ids(Place::node).clear();
  if (method::has(method::mixture, to, Place::node)) next.ids(Place::node) = std::move(nodes);
  for (const method::FieldRow* row : method::fields_at(method::mixture, to)) {
    const Field* held = state.find(row->name);
    const std::size_t count = row->place == Place::node ? next.count(Place::node) : state.particles();
    next.set(held != nullptr ? *held : method::blank(*row, dim, count));
  }
  return next;
}

std::vector<std::int64_t> united(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

/// The stage of mpm of one phase, from its part of a state.
template <class Real>
Snapshot step_part(const Scene& whole, MixtureMistake mistake, double dt, const Snapshot& state, Phase phase,
                   const Members& own) {
  Scene scene = mixture::scene_of_part(whole, phase);
  if (mistake == MixtureMistake::water_rubs_as_sand) scene.colliders = whole.colliders;
  Snapshot part = part_of(state, own, phase);
  const Snapshot given = part;
  if (mistake == MixtureMistake::contacts_before_drag && state.at == boundary::drag)
    part.get(field::p_star).value = mixture::picked(
        state.get(phase == Phase::water ? field::p_star_w : field::p_star).value, whole.dim(), own.nodes);
  if (phase == Phase::solid && mistake != MixtureMistake::cohesion_of_material)
    crosscheck::give_each_its_cohesion(scene, part,
                                       mixture::picked(state.get(field::c_C).value, 1, own.particles));
  run_stage<Real>(scene, Mistake::none, dt, part);
  // What was changed for the model's sake alone is as it was.
  part.set(given.get(field::material));
  if (const Field* star = given.find(field::p_star)) part.set(*star);
  return part;
}

/// Places of a part's nodes in a list of ids that has them all.
std::vector<std::size_t> places_of(const Snapshot& part, const std::vector<std::int64_t>& ids) {
  std::vector<std::size_t> result;
  for (const std::int64_t id : part.ids(Place::node))
    result.push_back(static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin()));
  return result;
}

template <class Real>
void step_both(const Scene& scene, MixtureMistake mistake, double dt, Boundary to, Snapshot& state) {
  std::array<Members, 2> own;
  std::array<Snapshot, 2> part;
  for (const Phase phase : mixture::phases) {
    const auto n = static_cast<std::size_t>(phase);
    own[n] = members(state, scene, phase);
    part[n] = step_part<Real>(scene, mistake, dt, state, phase, own[n]);
  }
  const std::vector<std::int64_t> nodes = to == boundary::p2g
                                              ? united(part[0].ids(Place::node), part[1].ids(Place::node))
                                              : state.ids(Place::node);
  Snapshot next = at_next(state, to, nodes, scene.dim());
  if (to == boundary::update) next.get(field::x_n).value = state.get(field::x).value;
  for (const Phase phase : mixture::phases) {
    const auto n = static_cast<std::size_t>(phase);
    if (to == boundary::p2g) own[n].nodes = places_of(part[n], nodes);
    put_back(next, part[n], own[n], phase);
  }
  state = std::move(next);
}

}  // namespace

template <class Real>
void run_mixture_stage(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state) {
  state.dt = dt;
  const auto all = method::boundaries(method::mixture);
  const Boundary to = *(std::find(all.begin(), all.end(), state.at) + 1);
  if (to == boundary::drag || to == boundary::saturation) {
    Snapshot next = at_next(state, to, state.ids(Place::node), scene.dim());
    if (to == boundary::drag)
      model_drag<Real>(scene, mistake, dt, next);
    else
      model_saturation<Real>(scene, mistake, state, next);
    state = std::move(next);
    return;
  }
  step_both<Real>(scene, mistake, dt, to, state);
  if (to == boundary::forces) model_reversible<Real>(scene, mistake, dt, state);
}

template void run_mixture_stage<float>(const Scene&, MixtureMistake, double, Snapshot&);
template void run_mixture_stage<double>(const Scene&, MixtureMistake, double, Snapshot&);

}  // namespace repose::faults
