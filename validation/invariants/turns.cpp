// A solver is asked where it stands, or not at all.
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/invariants/invariants.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

namespace repose::invariants {

namespace {

using crosscheck::Case;
using crosscheck::MpmSetup;

bool are_same(const Snapshot& a, const Snapshot& b) {
  return a.at == b.at && a.time == b.time && a.dt == b.dt && a.step == b.step &&
         !crosscheck::first_unequal(a, b);
}

bool is_refused(const std::function<void()>& request) {
  try {
    request();
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

/// What is asked of a solver that stands elsewhere is refused and changes no bit: to go on from there, to save or append there.
void stages_in_turn(int dim, Ledger& ledger) {
  ledger.needs("refusals", 100);
  for (const std::string& name : solver_names())
    for (const std::string_view scenario : {"one_particle", "implicit_floor"}) {
      const Case c = crosscheck::make_case(scenario, MpmSetup{.dim = dim, .kernel = Kernel::quadratic});
      const auto solver = make_solver(name, c.scene);
      solver->load(c.start);
      const auto list = solver->boundaries();
      const std::size_t last = list.size() - 1;
      for (std::size_t stands = 0; stands <= last; ++stands) {
        if (stands > 0) solver->run(list[stands - 1], list[stands], c.dt);
        const Snapshot before = solver->save(list[stands], true);
        for (std::size_t asked = 0; asked <= last; ++asked) {
          // Behind the last stage it stands at the next step's start as well.
          if (asked == stands || (stands == last && asked == 0)) continue;
          const std::string of = fmt::format(" {} where {} stands at {}", list[asked], name, list[stands]);
          ledger.saw("refusals");
          ledger.holds("save" + of, is_refused([&] { (void)solver->save(list[asked], false); }));
          if (asked < last)
            ledger.holds("run" + of, is_refused([&] { solver->run(list[asked], list[asked + 1], c.dt); }));
        }
        if (stands != 0 && stands != last) {
          const std::string of = fmt::format(" where {} stands at {}", name, list[stands]);
          ledger.holds("append" + of, is_refused([&] { solver->append(c.start); }));
          ledger.holds("advance" + of, is_refused([&] { solver->advance([&](double) { return c.dt; }); }));
        }
        const Snapshot after = solver->save(list[stands], true);
        ledger.holds(fmt::format("equal bits of {} at {}", name, list[stands]), are_same(before, after));
      }
    }
}

}  // namespace

void add_turns(std::vector<Invariant>& all) {
  all.push_back({"stages_in_turn",
                 "what is asked of a solver that stands elsewhere is refused and changes nothing",
                 "advance",
                 {2, 3},
                 stages_in_turn});
}

}  // namespace repose::invariants
