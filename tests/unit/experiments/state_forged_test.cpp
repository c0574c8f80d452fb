// States whose seal fits what was forged: what no checksum can find, a run must refuse before it goes on.

#include "experiments/run/recorded_run.h"
#include "reference/interface/base/error.h"
#include "tests/unit/experiments/state_snapshots.h"
#include "validation/solvers.h"
#include "validation/states/hdf5.h"
#include "validation/states/state_layout.h"
#include "validation/states/state_seal.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>

using namespace repose;
using namespace repose::experiments;
using namespace repose::test;
namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

namespace {

using Change = std::function<void(const hdf5::Handle& file)>;

/// Changes a state and seals it again.
void forge(const fs::path& state, const Change& change) {
  {
    hdf5::Handle file(H5Fopen(state.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a state");
    change(file);
    file.finish("close a state");
  }
  seal(state);
}

hdf5::Handle object(const hdf5::Handle& file, const std::string& path) {
  return {H5Oopen(file.id(), path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path};
}

/// Another value of an attribute.
template <class Value>
Change attribute(const std::string& path, const std::string& name, Value value) {
  return [=](const hdf5::Handle& file) {
    const hdf5::Handle of = object(file, path);
    BOOST_REQUIRE(H5Adelete(of.id(), name.c_str()) >= 0);
    hdf5::set_attribute(of, name, value);
  };
}

/// A dataset of a field with other numbers: a longer one is cut, a shorter one filled up with halves.
Change numbers(const std::string& group, const std::string& name, double share) {
  return [=](const hdf5::Handle& file) {
    const hdf5::Handle parent = object(file, group);
    std::vector<std::string> texts;
    std::vector<std::int64_t> integers;
    hdf5::Dims dims;
    std::vector<double> values;
    {
      const hdf5::Handle old = hdf5::open_dataset(parent, name);
      dims = hdf5::dims(old, std::uint64_t{1} << 30);
      values = hdf5::read_doubles(old, std::uint64_t{1} << 30);
      for (const char* text : {"name", "unit", "place"}) texts.push_back(hdf5::get_text(old, text));
      for (const char* key : {"components", "position"}) integers.push_back(hdf5::get_integer(old, key));
    }
    const std::size_t width = dims.size() == 2 ? static_cast<std::size_t>(dims[1]) : 1;
    dims[0] = static_cast<hsize_t>(share * static_cast<double>(dims[0]));
    values.resize(static_cast<std::size_t>(dims[0]) * width, 0.5);
    BOOST_REQUIRE(H5Ldelete(parent.id(), name.c_str(), H5P_DEFAULT) >= 0);
    const hdf5::Handle fresh = hdf5::write(parent, name, values, dims);
    hdf5::set_attribute(fresh, "name", std::string_view(texts[0]));
    hdf5::set_attribute(fresh, "unit", std::string_view(texts[1]));
    hdf5::set_attribute(fresh, "place", std::string_view(texts[2]));
    hdf5::set_attribute(fresh, "components", integers[0]);
    hdf5::set_attribute(fresh, "position", integers[1]);
  };
}

std::vector<std::pair<std::string, Change>> changes(const fs::path& state) {
  std::vector<std::pair<std::string, Change>> all;
  const auto add = [&](const std::string& what, const Change& change) { all.emplace_back(what, change); };
  const hdf5::Handle file = hdf5::open_file(state);
  std::vector<std::pair<std::string, std::string>> fields{{"VTKHDF", "Points"}};
  for (const char* group : {"VTKHDF/PointData", "repose/native"}) {
    if (!hdf5::has(file, group)) continue;  // only solvers with a storage of their own have the second
    for (const std::string& name : hdf5::names(hdf5::open_group(file, group)))
      fields.emplace_back(group, name);
  }
  for (const auto& [group, name] : fields) {
    const std::string path = group + "/" + name;
    for (const double share : {0.0, 0.5, 2.0})
      add(fmt::format("{} times {}", path, share), numbers(group, name, share));
    // Without it the state is one of any solver, whose strain is in F.
    const bool optional = name == "native.optimized.strain";
    if (!optional)
      add(path + " gone", [group = group, name = name](const hdf5::Handle& in) {
        H5Ldelete(object(in, group).id(), name.c_str(), H5P_DEFAULT);
      });
    for (const std::int64_t components : {-1, 0, 2, 3, 5, 2000})
      if (components !=
          hdf5::get_integer(hdf5::open_dataset(hdf5::open_group(file, group), name), "components"))
        add(fmt::format("{} of {} components", path, components), attribute(path, "components", components));
    add(path + " of 2^32 + its components", attribute(path, "components", (std::int64_t{1} << 32) + 2));
    for (const std::int64_t position : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 40})
      if (position != hdf5::get_integer(hdf5::open_dataset(hdf5::open_group(file, group), name), "position"))
        add(fmt::format("{} at {}", path, position), attribute(path, "position", position));
    for (const std::string_view text : {"", "a/b", ".", "unheard"})
      if (!optional || text != "unheard")
        add(fmt::format("{} called '{}'", path, text), attribute(path, "name", text));
    for (const char* text : {"lunch", "node", "scene", "face_z"})
      add(fmt::format("{} of {}", path, text), attribute(path, "place", std::string_view(text)));
  }
  for (const double value : {std::nan(""), HUGE_VAL, -1.0, 1e300, 0.0, 1.0})
    add(fmt::format("time {}", value), attribute("repose", "time_s", value));
  for (const double value : {std::nan(""), -HUGE_VAL, -1.0})
    add(fmt::format("dt {}", value), attribute("repose", "dt_s", value));
  for (const std::int64_t value : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max(), std::int64_t{1000000}})
    add(fmt::format("step {}", value), attribute("repose", "step", value));
  for (const std::int64_t value :
       {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        std::int64_t{0}, std::int64_t{3}})
    add(fmt::format("frame {}", value), attribute("repose", "frame", value));
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{3}})
    add(fmt::format("{} dimensions", value), attribute("repose", "dim", value));
  add("a later format", attribute("repose", "format", layout::format + 1));
  add("the format in which particles had no ids", attribute("repose", "format", std::int64_t{2}));
  for (const std::int64_t value :
       {std::int64_t{-1}, std::int64_t{1}, std::numeric_limits<std::int64_t>::min()})
    add(fmt::format("next particle {}", value), attribute(layout::ids, "next_particle", value));
  add("the format in which states named no method", attribute("repose", "format", std::int64_t{1}));
  for (const char* text : {"", "another", "MPM", "mpm "})
    add(fmt::format("of the method '{}'", text), attribute("repose", "method", std::string_view(text)));
  for (const char* text : {"p2g", "friction", "plasticity", "lunch"})
    add(fmt::format("at {}", text), attribute("repose", "boundary", std::string_view(text)));
  add("another solver", attribute("repose", "solver", std::string_view("nobody")));
  add("another precision", attribute("repose", "precision", std::string_view("half")));
  add("a text for the time", attribute("repose", "time_s", std::string_view("soon")));
  return all;
}

/// What resuming says about the run's states; empty if it goes on without a word.
std::string said(const std::string& solver, const Scene& scene, const RecordedRunOptions& options) {
  std::string text;
  try {
    const auto fresh = make_solver(solver, scene, options.solver);
    for (const std::string& note : run_recorded(*fresh, scene, options).notes) text += note + "\n";
  } catch (const BadInput& error) {
    text = error.what();
    BOOST_TEST(text.find('\n') == std::string::npos, text);
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_forged)

BOOST_DATA_TEST_CASE(a_run_does_not_go_on_from_a_forged_state, data::make(solver_names()), name) {
  const TemporaryFolder folder;
  const Scene scene = small_scene(2);
  const auto solver = make_solver(name, scene, {});
  run_recorded(*solver, scene, {.out = folder / "run", .states = KeepStates::last, .frames = 2});
  const fs::path good = folder / "good.hdf";
  fs::copy_file(folder / "run/states/state_0002.hdf", good);

  const auto all = changes(good);
  BOOST_TEST(all.size() > 150U);
  for (const auto& [what, change] : all) {
    fs::remove_all(folder / "forged");
    fs::copy(folder / "run", folder / "forged", fs::copy_options::recursive);
    const fs::path state = folder / "forged/states/state_0002.hdf";
    forge(state, change);
    const std::string text = said(name, scene, {.out = folder / "forged", .resume = true, .frames = 2});
    const bool refused = text.find("forged") != std::string::npos;
    BOOST_TEST(refused, what << ": '" << text << "'");
  }

  // The hand that forges leaves no trace of its own.
  forge(folder / "run/states/state_0002.hdf", attribute("repose", "dt_s", 0.0));
  BOOST_TEST(said(name, scene, {.out = folder / "run", .resume = true, .frames = 3}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
