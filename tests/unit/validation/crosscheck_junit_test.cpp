#include "validation/crosscheck/junit.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace repose::crosscheck;

CaseReport report(std::string name, std::string suite, Verdict verdict) {
  CaseReport one;
  one.name = std::move(name);
  one.suite = std::move(suite);
  one.verdict = verdict;
  one.seconds = 0.25;
  return one;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_junit)

BOOST_AUTO_TEST_CASE(every_case_is_a_test_case_of_its_suite_and_counted_by_its_verdict) {
  CaseReport differs = report("box/apic", "lockstep", Verdict::differs);
  differs.lockstep.divergence = Divergence{};
  differs.lockstep.divergence->stage = "p2g";
  differs.lockstep.divergence->field.field = "m_i";
  differs.lockstep.divergence->message = "1 < 2 & \"so\" on \x1b[31m";
  CaseReport mistrusted = report("rest/pic", "lockstep", Verdict::mistrusted);
  mistrusted.shortfalls = {"contacts: 0 of at least 5"};
  const std::string xml = to_junit({report("a/apic", "lockstep", Verdict::pass), differs, mistrusted,
                                    report("b/apic", "bits", Verdict::pass)});
  BOOST_TEST(count(xml, "<testcase ") == 4U);
  BOOST_TEST(count(xml, "<testsuite name=\"lockstep\" tests=\"3\" failures=\"1\" errors=\"1\"") == 1U);
  BOOST_TEST(count(xml, "<testsuite name=\"bits\" tests=\"1\" failures=\"0\" errors=\"0\"") == 1U);
  BOOST_TEST(count(xml, "<failure type=\"differs\" message=\"differs: p2g m_i\">") == 1U);
  BOOST_TEST(count(xml, "<error type=\"mistrusted\"") == 1U);
  BOOST_TEST(count(xml, "contacts: 0 of at least 5") == 1U);
}

BOOST_AUTO_TEST_CASE(nothing_in_a_message_ends_a_tag_or_leaves_xml) {
  CaseReport one = report("a", "lockstep", Verdict::refused);
  one.shortfalls = {"</error><x y=\"1\"> & \x01"};
  const std::string xml = to_junit({one});
  BOOST_TEST(count(xml, "&lt;/error&gt;&lt;x y=&quot;1&quot;&gt; &amp; ?") == 1U);
  BOOST_TEST(count(xml, "</error>") == 1U);
}

BOOST_AUTO_TEST_CASE(long_cases_are_told_from_the_others) {
  CaseReport one = report("large/apic", "lockstep", Verdict::pass);
  one.takes_long = true;
  const std::string xml = to_junit({one, report("box/apic", "lockstep", Verdict::pass)});
  BOOST_TEST(count(xml, "classname=\"repose.verify.lockstep.long\" name=\"large/apic\"") == 1U);
  BOOST_TEST(count(xml, "classname=\"repose.verify.lockstep\" name=\"box/apic\"") == 1U);
}

BOOST_AUTO_TEST_CASE(a_suite_without_cases_is_left_out) {
  BOOST_TEST(count(to_junit({report("a", "bits", Verdict::pass)}), "<testsuite ") == 1U);
  BOOST_TEST(count(to_junit({}), "<testsuite ") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
