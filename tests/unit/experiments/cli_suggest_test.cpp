#include "experiments/cli/suggest.h"

#include <boost/test/unit_test.hpp>

using namespace repose::cli;

BOOST_AUTO_TEST_SUITE(cli_suggest)

BOOST_AUTO_TEST_CASE(a_misspelt_command_is_recognized_and_another_word_is_not) {
  const std::vector<std::string> known{"run", "verify", "reproduce", "list"};
  BOOST_TEST(nearest("veriyf", known) == "verify");
  BOOST_TEST(nearest("reproduc", known) == "reproduce");
  BOOST_TEST(nearest("ls", known) == "list");
  BOOST_TEST(nearest("xyzzy", known).empty());
}

BOOST_AUTO_TEST_SUITE_END()
