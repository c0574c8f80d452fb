#include "reference/interface/base/edit_distance.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace repose {
namespace {

constexpr std::string_view letters = "abc";

/// Words of up to four of the letters.
std::set<std::string> all_words() {
  std::set<std::string> words{""};
  for (int length = 1; length <= 4; ++length) {
    const std::set<std::string> shorter = words;
    for (const std::string& word : shorter)
      for (const char letter : letters) words.insert(word + letter);
  }
  return words;
}

/// Every word that one edit makes of a word.
std::set<std::string> one_edit_from(const std::string& word) {
  std::set<std::string> result;
  for (std::size_t i = 0; i <= word.size(); ++i)
    for (const char letter : letters) {
      result.insert(word.substr(0, i) + letter + word.substr(i));
      if (i < word.size()) result.insert(word.substr(0, i) + letter + word.substr(i + 1));
    }
  for (std::size_t i = 0; i < word.size(); ++i) result.insert(word.substr(0, i) + word.substr(i + 1));
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    std::string swapped = word;
    std::swap(swapped[i], swapped[i + 1]);
    result.insert(swapped);
  }
  result.erase(word);
  return result;
}

BOOST_AUTO_TEST_SUITE(edit_distance_test)

BOOST_AUTO_TEST_CASE(edits_are_counted_once) {
  BOOST_TEST(edit_distance("run", "run") == 0U);
  BOOST_TEST(edit_distance("rum", "run") == 1U);
  BOOST_TEST(edit_distance("rnu", "run") == 1U);  // swapped neighbours
  BOOST_TEST(edit_distance("", "run") == 3U);
  BOOST_TEST(edit_distance("run", "") == 3U);
  BOOST_TEST(edit_distance("kitten", "sitting") == 3U);
  BOOST_TEST(edit_distance("veriyf", "verify") == 1U);
  BOOST_TEST(edit_distance("ca", "abc") == 3U);  // two, could a swapped pair be torn apart again
}

/// Against words that were edited, not compared: of all pairs exactly those are one apart that one edit joins.
BOOST_AUTO_TEST_CASE(one_edit_is_a_distance_of_one_and_nothing_else_is) {
  const auto words = all_words();
  for (const std::string& a : words) {
    const auto near = one_edit_from(a);
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const std::string& b) {
      const std::size_t distance = edit_distance(a, b);
      return (distance == 0) != (a == b) || (distance == 1) != near.contains(b) ||
             distance != edit_distance(b, a);
    });
    BOOST_TEST((wrong == words.end()), "'" << a << "' and '" << (wrong == words.end() ? "" : *wrong) << "'");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
