#include "reference/interface/scene_file/scene_tables.h"

#include "reference/interface/methods/all.h"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace repose {
namespace {

std::string documentation() {
  std::ifstream file(std::string(REPOSE_SOURCE_DIR) + "/reference/interface/SCENES.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

BOOST_AUTO_TEST_SUITE(scene_tables_test)

/// Where this fails, what it prints belongs into SCENES.md.
BOOST_AUTO_TEST_CASE(SCENES_md_has_the_tables_of_the_descriptions) {
  const std::string text = documentation();
  std::string missing;
  for (const KeyTable& table : scene_tables(method::all())) {
    const std::string wanted = "<!-- keys: " + table.name + " -->\n" + markdown(table) + "\n";
    if (text.find(wanted) == std::string::npos) missing += wanted;
  }
  BOOST_TEST(missing == "");
}

BOOST_AUTO_TEST_CASE(SCENES_md_has_no_table_that_nothing_describes) {
  std::set<std::string> known;
  for (const KeyTable& table : scene_tables(method::all())) known.insert("<!-- keys: " + table.name + " -->");
  const std::string text = documentation();
  std::size_t found = 0;
  for (auto at = text.find("<!-- keys:"); at != std::string::npos; at = text.find("<!-- keys:", at + 1)) {
    BOOST_TEST(known.count(text.substr(at, text.find('\n', at) - at)) == 1U);
    ++found;
  }
  BOOST_TEST(found == known.size());
}

BOOST_AUTO_TEST_CASE(a_row_shows_all_that_is_described) {
  const KeyTable table{
      "x",
      {{.key = "a", .unit = "m", .otherwise = "1", .allowed = "> 0", .meaning = "length"},
       {.key = "b", .unit = {}, .otherwise = {}, .allowed = {}, .meaning = {}, .is_required = true}}};
  BOOST_TEST(markdown(table) ==
             "| key | unit | default | allowed | meaning |\n|---|---|---|---|---|\n"
             "| `a` | m | 1 | > 0 | length |\n| **`b`** | | | | |\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
