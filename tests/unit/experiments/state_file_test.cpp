#include "validation/states/state_file.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/state_snapshots.h"
#include "validation/file_output.h"
#include "validation/states/hdf5.h"
#include "validation/states/state_seal.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <bit>
#include <fstream>
#include <sstream>

using namespace repose;
using namespace repose::experiments;
using namespace repose::test;
namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_bytes(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void check_equal_bits(const Snapshot& a, const Snapshot& b) {
  BOOST_TEST(a.at == b.at);
  BOOST_TEST(a.time == b.time);
  BOOST_TEST(a.dt == b.dt);
  BOOST_TEST(a.step == b.step);
  BOOST_TEST((a.listed == b.listed));
  BOOST_TEST(a.next_id == b.next_id);
  BOOST_REQUIRE_EQUAL(a.fields.size(), b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    const Field& f = a.fields[i];
    const Field& g = b.fields[i];
    BOOST_TEST(f.name == g.name);
    BOOST_TEST(f.unit == g.unit);
    BOOST_TEST((f.place == g.place));
    BOOST_TEST(f.components == g.components);
    BOOST_REQUIRE_EQUAL(f.value.size(), g.value.size());
    for (std::size_t k = 0; k < f.value.size(); ++k) {
      BOOST_TEST(std::bit_cast<std::uint64_t>(f.value[k]) == std::bit_cast<std::uint64_t>(g.value[k]));
    }
  }
}

/// The one line of a refusal.
std::string refusal(const fs::path& file) {
  try {
    read_state(file);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

bool is_one_line_about(const std::string& message, const fs::path& file) {
  return message.starts_with(file.string() + ": ") && message.find('\n') == std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_file)

BOOST_DATA_TEST_CASE(every_bit_of_a_snapshot_comes_back, data::make({2, 3}), dim) {
  const TemporaryFolder folder;
  const Scene scene = small_scene(dim);
  const Snapshot written = awkward_snapshot(dim);
  write_state(folder / "s.hdf", written, scene, some_origin());
  const StoredState read = read_state(folder / "s.hdf");
  check_equal_bits(written, read.snapshot);
  BOOST_TEST(read.scene == scene_to_toml(scene));
  BOOST_TEST(read.origin.frame == 3);
  BOOST_TEST(read.origin.solver == "fake");
  BOOST_TEST(read.origin.precision == "double");
  BOOST_TEST(read.origin.build.revision == build().revision);
}

BOOST_AUTO_TEST_CASE(a_state_without_particles_can_be_stored) {
  const TemporaryFolder folder;
  const Snapshot written = awkward_snapshot(2, 0);
  write_state(folder / "s.hdf", written, small_scene(2), some_origin());
  check_equal_bits(written, read_state(folder / "s.hdf").snapshot);
}

BOOST_AUTO_TEST_CASE(equal_states_are_equal_files_whenever_they_are_written) {
  const TemporaryFolder folder;
  const Scene scene = small_scene(3);
  write_state(folder / "a.hdf", awkward_snapshot(3), scene, some_origin());
  usleep(1'100'000);  // HDF5's time stamps have seconds
  write_state(folder / "b.hdf", awkward_snapshot(3), scene, some_origin());
  BOOST_TEST((bytes_of(folder / "a.hdf") == bytes_of(folder / "b.hdf")));
  Snapshot other = awkward_snapshot(3);
  other.get(field::mass).value[2] = std::nextafter(other.get(field::mass).value[2], 1.0);
  write_state(folder / "c.hdf", other, scene, some_origin());
  BOOST_TEST((bytes_of(folder / "a.hdf") != bytes_of(folder / "c.hdf")));
}

BOOST_AUTO_TEST_CASE(writing_leaves_the_finished_file_alone) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "states");
  write_state(folder / "states/s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  write_state(folder / "states/s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  BOOST_TEST(std::distance(fs::directory_iterator(folder / "states"), fs::directory_iterator()) == 1);
}

/// Cut anywhere: in the header, in the middle, in the last values.
BOOST_DATA_TEST_CASE(a_truncated_file_is_refused_in_one_line, data::make({0.0, 0.001, 0.1, 0.5, 0.9, 0.999}),
                     part) {
  const TemporaryFolder folder;
  write_state(folder / "s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  const std::string whole = bytes_of(folder / "s.hdf");
  write_bytes(folder / "cut.hdf",
              whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
  BOOST_TEST(is_one_line_about(refusal(folder / "cut.hdf"), folder / "cut.hdf"), refusal(folder / "cut.hdf"));
}

/// HDF5 would follow damaged addresses out of its memory, or read other numbers without a word.
BOOST_AUTO_TEST_CASE(a_flipped_bit_anywhere_is_refused) {
  const TemporaryFolder folder;
  write_state(folder / "s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  const std::string whole = bytes_of(folder / "s.hdf");
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    const std::size_t place = i < 100 ? static_cast<std::size_t>(i) : random() % whole.size();
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    write_bytes(folder / "d.hdf", damaged);
    BOOST_TEST(is_one_line_about(refusal(folder / "d.hdf"), folder / "d.hdf"), "byte " << place);
  }
  write_bytes(folder / "d.hdf", whole + "x");
  BOOST_TEST(is_one_line_about(refusal(folder / "d.hdf"), folder / "d.hdf"));
  write_bytes(folder / "d.hdf", whole);
  BOOST_TEST(refusal(folder / "d.hdf") == "");
}

/// Sign bits are the highest of their words: a sum whose steps are products and XORs moves their flips nowhere, so that any
/// two cancel. Two to four flips of one bit, 8 bytes or a multiple apart.
BOOST_AUTO_TEST_CASE(flips_of_equal_bits_in_several_words_are_refused) {
  const TemporaryFolder folder;
  write_state(folder / "s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  const std::string whole = bytes_of(folder / "s.hdf");
  std::mt19937_64 random(4);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = whole;
    const std::size_t words = (whole.size() - seal_bytes) / 8;
    const auto bit = i < 200 ? std::size_t{63} : random() % 64;
    const auto flips = static_cast<std::size_t>(2 + i % 3);
    for (std::size_t n = 0; n < flips; ++n) {
      // Distinct words: no flip takes another one back.
      const std::size_t word = words / flips * n + random() % (words / flips);
      char& byte = damaged[seal_bytes + 8 * word + bit / 8];
      byte = static_cast<char>(byte ^ (1 << bit % 8));
    }
    write_bytes(folder / "d.hdf", damaged);
    BOOST_TEST(is_one_line_about(refusal(folder / "d.hdf"), folder / "d.hdf"),
               "draw " << i << ", bit " << bit);
  }
}

/// What earlier versions wrote at the front of their states.
BOOST_AUTO_TEST_CASE(a_state_of_the_earlier_seal_is_refused_as_such) {
  const TemporaryFolder folder;
  write_state(folder / "s.hdf", awkward_snapshot(2), small_scene(2), some_origin());
  std::string old = "repose state, HDF5 behind 512 bytes; sum of what follows 0123456789abcdef\n";
  old.resize(seal_bytes, '\0');
  write_bytes(folder / "old.hdf", old + bytes_of(folder / "s.hdf").substr(seal_bytes));
  BOOST_CHECK_THROW(read_state(folder / "old.hdf"), OldSeal);
  BOOST_TEST(is_one_line_about(refusal(folder / "old.hdf"), folder / "old.hdf"));
  BOOST_TEST(refusal(folder / "old.hdf").find("earlier version") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_files_are_refused_in_one_line) {
  const TemporaryFolder folder;
  BOOST_TEST(is_one_line_about(refusal(folder / "none.hdf"), folder / "none.hdf"));
  write_bytes(folder / "text.hdf", "this is no HDF5 file\n");
  BOOST_TEST(is_one_line_about(refusal(folder / "text.hdf"), folder / "text.hdf"));
  BOOST_TEST(is_one_line_about(refusal(folder / ""), folder / ""));
  { const auto foreign = hdf5::create_file(folder / "foreign.hdf", 0); }
  BOOST_TEST(refusal(folder / "foreign.hdf").find("not written by repose") != std::string::npos);
}

/// For programs that read states without Repose.
BOOST_AUTO_TEST_CASE(materials_stand_in_a_state_as_the_scene_has_them) {
  const TemporaryFolder folder;
  Scene scene = small_scene(2);
  Material& sand = scene.materials.at(0);
  sand.name = "wet";
  sand.density = 1234.0;
  sand.youngs_modulus = 3.5e5;
  sand.poisson_ratio = 0.27;
  sand.friction = {.h0 = 0.61, .h1 = 0.16, .h2 = 0.2, .h3 = 0.17};
  sand.cohesion = 12.5;
  sand.volume_correction = true;
  write_state(folder / "s.hdf", awkward_snapshot(2), scene, some_origin());
  const hdf5::Handle file = hdf5::open_file(folder / "s.hdf");
  const hdf5::Handle entry = hdf5::open_group(file, "repose/materials/000");
  BOOST_TEST(hdf5::get_text(entry, "name") == "wet");
  BOOST_TEST(hdf5::get_text(entry, "kind") == "sand");
  BOOST_TEST(hdf5::get_double(entry, "density") == 1234.0);
  BOOST_TEST(hdf5::get_double(entry, "youngs_modulus") == 3.5e5);
  BOOST_TEST(hdf5::get_double(entry, "poisson_ratio") == 0.27);
  BOOST_TEST(hdf5::get_double(entry, "h0_rad") == 0.61);
  BOOST_TEST(hdf5::get_double(entry, "h1_rad") == 0.16);
  BOOST_TEST(hdf5::get_double(entry, "h2") == 0.2);
  BOOST_TEST(hdf5::get_double(entry, "h3_rad") == 0.17);
  BOOST_TEST(hdf5::get_double(entry, "cohesion") == 12.5);
  BOOST_TEST(hdf5::get_integer(entry, "volume_correction") == 1);
}

BOOST_AUTO_TEST_CASE(fields_that_do_not_fit_are_refused) {
  const TemporaryFolder folder;
  Snapshot s = awkward_snapshot(2);
  s.get(field::v).value.pop_back();
  BOOST_CHECK_THROW(write_state(folder / "s.hdf", s, small_scene(2), some_origin()), std::logic_error);
  s = awkward_snapshot(2);
  s.get(field::m_i).value.push_back(0.0);
  BOOST_CHECK_THROW(write_state(folder / "s.hdf", s, small_scene(2), some_origin()), std::logic_error);
  BOOST_TEST(!fs::exists(folder / "s.hdf"));
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_is_named) {
  const TemporaryFolder folder;
  const fs::path file = folder / "no/such/folder/s.hdf";
  try {
    write_state(file, awkward_snapshot(2), small_scene(2), some_origin());
    BOOST_FAIL("written into a folder that does not exist");
  } catch (const WriteError& error) {
    const std::string message = error.what();
    BOOST_TEST(message.find(file.string()) != std::string::npos, message);
    BOOST_TEST(message.find("No such file or directory") != std::string::npos, message);
    BOOST_TEST(message.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(names_sort_as_frames) {
  BOOST_TEST(state_file_name(0) == "state_0000.hdf");
  BOOST_TEST(state_file_name(42) == "state_0042.hdf");
  BOOST_TEST(state_file_name(12345) == "state_12345.hdf");
}

BOOST_AUTO_TEST_SUITE_END()
