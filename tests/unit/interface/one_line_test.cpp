#include "reference/interface/base/one_line.h"

#include "reference/interface/base/error.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

namespace repose {
namespace {

using namespace std::string_literals;

/// Characters of UTF-8: bytes that do not continue one.
std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80 ? 1 : 0;
  return count;
}

BOOST_AUTO_TEST_SUITE(one_line_test)

BOOST_AUTO_TEST_CASE(plain_text_of_any_script_stays_as_it_is) {
  for (const std::string text :
       {"", "a.toml:3: spacing = 0.1 [m]", "Böschung φ ≤ 35°, 砂, 🏖", "a\\nb \\u001b \"q\""}) {
    BOOST_TEST(in_one_line(text) == text);
    BOOST_TEST(is_utf8(text));
  }
}

BOOST_AUTO_TEST_CASE(what_would_break_a_line_or_steer_a_terminal_is_written_out) {
  BOOST_TEST(in_one_line("a\nb\r\tc") == "a\\nb\\r\\tc");
  BOOST_TEST(in_one_line("\x1b[31mred\x7f") == "\\u001b[31mred\\u007f");
  BOOST_TEST(in_one_line("\0"s) == "\\u0000");
  BOOST_TEST(in_one_line("\u009b2J") == "\\u009b2J");                 // the one-character form of ESC [
  BOOST_TEST(in_one_line("x\u2028y\u2029z") == "x\\u2028y\\u2029z");  // ends of line and paragraph
  BOOST_TEST(in_one_line("\u202elmot") == "\\u202elmot");             // turns the direction of writing
}

/// Cut short, overlong, half of a surrogate pair, beyond Unicode, a lone continuation; what follows is kept.
BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_written_out) {
  BOOST_TEST(in_one_line("\xc3(") == "\\xc3(");
  BOOST_TEST(in_one_line("\xe2\x89") == "\\xe2\\x89");
  BOOST_TEST(in_one_line("\xc0\xaf!") == "\\xc0\\xaf!");
  BOOST_TEST(in_one_line("\xe0\x80\x8a") == "\\xe0\\x80\\x8a");  // an overlong line feed
  BOOST_TEST(in_one_line("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  BOOST_TEST(in_one_line("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  BOOST_TEST(in_one_line("\x80ok") == "\\x80ok");
  for (const char* text :
       {"\xc3(", "\xe2\x89", "\xc0\xaf!", "\xe0\x80\x8a", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"})
    BOOST_TEST(!is_utf8(text));
  for (const char* text : {"\xc2\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
    BOOST_TEST(is_utf8(text));
}

BOOST_AUTO_TEST_CASE(long_text_loses_its_middle_and_just_fitting_text_nothing) {
  const std::string fits(100, 'x');
  BOOST_TEST(in_one_line(fits, 100) == fits);
  const std::string cut = in_one_line("file:7: " + std::string(70000, 's') + ": must be short", 100);
  BOOST_TEST(characters(cut) == 100U);
  BOOST_TEST(cut.starts_with("file:7: sss"));
  BOOST_TEST(cut.ends_with("sss: must be short"));
  BOOST_TEST(cut.find("s … s") != std::string::npos);
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "φ";
  BOOST_TEST(characters(in_one_line(wide, 100)) == 100U);
  BOOST_TEST(is_utf8(in_one_line(wide, 100)));
}

/// Of random bytes: printable, bounded, well-formed, and the same when it is done again.
BOOST_AUTO_TEST_CASE(any_bytes_become_one_bounded_line_once_and_for_all) {
  std::mt19937 random(1);
  for (int sample = 0; sample < 2000; ++sample) {
    std::string bytes;
    for (std::size_t i = random() % 400; i > 0; --i) bytes += static_cast<char>(random() % 256);
    const std::string line = in_one_line(bytes, 120);
    BOOST_TEST(is_utf8(line));
    BOOST_TEST(characters(line) <= 120U);
    for (const char c : line) BOOST_TEST((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    BOOST_TEST(in_one_line(line, 120) == line);
  }
}

BOOST_AUTO_TEST_CASE(errors_are_one_line_whatever_they_quote) {
  const std::string hostile = "a\nb\x1b[2J" + std::string(1000, 'x');
  const BadInput bad("s.toml:3: name = " + hostile);
  BOOST_TEST(in_one_line(bad.what()) == bad.what());
  BOOST_TEST(std::string(bad.what()).starts_with("s.toml:3: name = a\\nb\\u001b[2J"));
  const std::string failed = SimulationError(hostile, 7, 3, "p2g").what();
  BOOST_TEST(in_one_line(failed, 2 * longest_message) == failed);
  BOOST_TEST(failed.ends_with("(particle 7, step 3, boundary p2g)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
