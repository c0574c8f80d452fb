#include "reference/interface/scene_file/scene_text.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace repose {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("repose_scene_text_{}", ::getpid());
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::string refusal(const fs::path& file) {
  try {
    load_scene(file);
  } catch (const BadInput& error) {
    BOOST_TEST(in_one_line(error.what()) == error.what());
    return error.what();
  }
  return "accepted";
}

std::string shallow(const std::string& text) {
  try {
    require_shallow(text, "s.toml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

std::string repeated(std::string_view what, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += what;
  return text;
}

BOOST_AUTO_TEST_SUITE(scene_text_test)

/// A pipe nobody writes to would be waited for, a device never ends: neither is opened.
BOOST_AUTO_TEST_CASE(only_regular_files_are_opened) {
  const Folder folder;
  const fs::path pipe = folder.path / "pipe.toml";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  BOOST_TEST(refusal(pipe) == pipe.string() + ": is a pipe: must be a scene file");
  BOOST_TEST(refusal("/dev/zero") == "/dev/zero: is a device: must be a scene file");
  const fs::path circle = folder.path / "circle.toml";
  fs::create_symlink(circle, circle);
  BOOST_TEST(refusal(circle).find("cannot be read: Too many levels of symbolic links") != std::string::npos);
  BOOST_TEST(refusal(folder.path / std::string(5000, 'n')).find("File name too long") != std::string::npos);
  const fs::path link = folder.path / "link.toml";
  fs::create_symlink("/dev/zero", link);
  BOOST_TEST(refusal(link).find("is a device") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_utf8_is_refused_whether_the_file_is_there_or_not) {
  const Folder folder;
  const fs::path file = folder.path / "s\xff.toml";
  BOOST_TEST(refusal(file).find("s\\xff.toml: cannot be read: No such file") != std::string::npos);
  std::ofstream(file) << "dimension = 2\n";
  BOOST_TEST(refusal(file).find("s\\xff.toml: its name is not UTF-8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_beyond_the_size_limit_is_refused_and_one_just_below_is_read) {
  const Folder folder;
  const fs::path file = folder.path / "large.toml";
  std::ofstream(file) << std::string(largest_scene_file, '#');
  BOOST_TEST(read_scene_text(file).size() == largest_scene_file);
  std::ofstream(file, std::ios::app) << '#';
  BOOST_TEST(refusal(file) == file.string() + ": is larger than 1 MiB: must be a scene file");
}

BOOST_AUTO_TEST_CASE(keys_and_brackets_nest_up_to_the_limit_and_no_further) {
  BOOST_TEST(shallow("x = 1\n" + repeated("a.", deepest_scene_text - 1) + "a = 1") == "accepted");
  const std::string refused = shallow("x = 1\n" + repeated("a.", deepest_scene_text) + "a = 1");
  BOOST_TEST(refused.find("s.toml:2: a key of more than 16 parts") == 0U);
  BOOST_TEST(shallow(repeated("a.", 40000) + "a = 1").find("s.toml:1: a key of") == 0U);
  BOOST_TEST(shallow(repeated("\"a\" . ", 40000) + "a = 1").find("s.toml:1: a key of") == 0U);
  BOOST_TEST(shallow("[" + repeated("a.", 40000) + "a]").find("s.toml:1: a key of") == 0U);
  BOOST_TEST(shallow("x = " + repeated("[", deepest_scene_text) + repeated("]", deepest_scene_text)) ==
             "accepted");
  BOOST_TEST(shallow("\n\nx = " + repeated("[", 40000)).find("s.toml:3: brackets more than 16 deep") == 0U);
  BOOST_TEST(shallow("x = " + repeated("{a=", 40000)).find("s.toml:1: brackets") == 0U);
}

/// What looks like depth inside strings, comments and long lists is none.
BOOST_AUTO_TEST_CASE(strings_comments_and_lists_of_numbers_are_not_depth) {
  BOOST_TEST(shallow("x = [" + repeated("1.5, -2.5e-3, ", 1000) + "]") == "accepted");
  BOOST_TEST(shallow("x = \"" + repeated("[.", 100) + "\\\"" + repeated("[.", 100) + "\"") == "accepted");
  BOOST_TEST(shallow("x = '" + repeated("[.", 100) + "'") == "accepted");
  BOOST_TEST(shallow("x = \"\"\"\n" + repeated("[.\"\n", 100) + "\"\"\"") == "accepted");
  BOOST_TEST(shallow("x = '''\n" + repeated("[.'\n", 100) + "'''") == "accepted");
  BOOST_TEST(shallow("# " + repeated("[.", 100)) == "accepted");
  BOOST_TEST(shallow(repeated("[[seed]]\n", 1000)) == "accepted");
  // And behind them lines are still counted.
  const std::string deep = repeated("[", 100);
  BOOST_TEST(shallow("x = \"\"\"\n\n\"\"\"\ny = '''\n'''\n# \"\nz = " + deep).find("s.toml:7: ") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
