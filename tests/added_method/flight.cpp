#include "tests/added_method/flight.h"

#include "reference/interface/scene/key_kinds.h"
#include "reference/interface/scene/scene_names.h"
#include "reference/interface/scene/scheme_keys.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose::flight {

namespace {

constexpr method::StageRow stages[] = {{flight, method::Kind::computed, "falls freely", {}},
                                       {landing, method::Kind::decided, "stays where it lands", {}}};

// clang-format off
constexpr method::FieldRow fields[] = {
    // name       of               unit   shape                  at rest              made                  held     made again
    {field::mass, Place::particle, "kg",  method::Shape::scalar, method::Rest::given, boundary::step_start, landing, landing},
    {velocity,    Place::particle, "m/s", method::Shape::vector, method::Rest::zero,  boundary::step_start, landing, flight},
    {field::x,    Place::particle, "m",   method::Shape::vector, method::Rest::given, boundary::step_start, landing, flight},
    {landed,      Place::particle, "-",   method::Shape::scalar, method::Rest::zero,  boundary::step_start, landing, landing},
    {heap,        Place::cell,     "kg",  method::Shape::scalar, method::Rest::zero,  boundary::step_start, landing, landing},
};
// clang-format on

constexpr method::CounterRow counters[] = {{"flying", true}, {"landings"}};

void check(const Snapshot& snapshot, const Scene&, std::int64_t) {
  for (const double flag : snapshot.get(landed).value)
    if (flag != 0.0 && flag != 1.0)
      throw std::invalid_argument(fmt::format("landed = {} is neither 0 nor 1", flag));
}

std::string describe(const Counts& counts, std::uint64_t) {
  return fmt::format("{} particles landed\n", counts[landings]);
}

const Names<OnLanding> on_landing{
    {"stay", OnLanding::stay}, {"leave", OnLanding::leave}, {"split", OnLanding::split}};

const Keys<Options>& keys() {
  static const Keys<Options> all{key("ground", &Options::ground, kind::Number(rule::non_negative), initial,
                                     "height of the ground above the domain's floor, in units of h"),
                                 key("on_landing", &Options::on_landing, kind::Choice(on_landing), initial,
                                     "what becomes of a particle that lands")};
  return all;
}

}  // namespace

const SchemeTable& Options::table() {
  static const SchemeTable table = scheme_table(SchemeParts<Options>{.method = "flight", .keys = keys()});
  return table;
}

const method::Method table{"flight", Options::table, stages, fields, counters, {}, check, describe};

}  // namespace repose::flight
