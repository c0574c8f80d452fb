#include "reference/interface/methods/implicit_keys.h"

#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/scene/key_kinds.h"

namespace repose {

const Keys<ImplicitOptions>& implicit_keys() {
  using kind::Choice;
  using kind::Count;
  using kind::Number;
  constexpr int most = 1'000'000;
  static const Keys<ImplicitOptions> keys{
      key("newton_tolerance", &ImplicitOptions::newton_tolerance, Number(rule::tolerance), initial,
          "largest residual of a node's balance of momentum, relative to the impulses of stress and gravity "
          "on "
          "that node summed without their signs; what rounding leaves is allowed besides, so that flight "
          "without "
          "forces is solved too"),
      key("newton_iterations", &ImplicitOptions::newton_iterations, Count(1, most), initial, "of one solve"),
      key("unconverged", &ImplicitOptions::unconverged, Choice(names::unconverged), initial,
          "a solve that leaves more than newton_tolerance after newton_iterations has failed, and Δt is "
          "halved, or "
          "its last velocities are taken as they are; `steps.csv` and the run's summary count those"),
      key("gmres_restart", &ImplicitOptions::gmres_restart, Count(1, most), initial,
          "vectors that GMRES keeps, never more than unknowns; MINRES, of semi-implicit steps, keeps a few "
          "whatever this says"),
      key("gmres_iterations", &ImplicitOptions::gmres_iterations, Count(1, most), initial,
          "of GMRES, or of MINRES, in one Newton iteration; the best solution so far is taken"),
      key("gmres_tolerance", &ImplicitOptions::gmres_tolerance, Number(rule::tolerance), initial,
          "residual b − A x that GMRES, or MINRES, may leave of a linear system, relative to its right-hand "
          "side"),
      key("step_cuts", &ImplicitOptions::step_cuts, Count(0, most), initial,
          "halvings of Δt after failed solves in one step; then the run ends with an error that names the "
          "cause. "
          "`steps.csv` and the run's summary count them"),
  };
  return keys;
}

}  // namespace repose
