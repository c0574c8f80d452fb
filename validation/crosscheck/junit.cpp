#include "validation/crosscheck/junit.h"

#include "validation/crosscheck/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace repose::crosscheck {

namespace {

/// Characters that XML 1.0 has no place for become '?'.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      const auto code = static_cast<unsigned char>(c);
      result += code < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return result;
}

std::string outcome(const CaseReport& report) {
  if (report.verdict == Verdict::pass) return "";
  const bool differs = report.verdict == Verdict::differs;
  std::string message = std::string(name_of(report.verdict));
  std::string text = explain(report, "");
  if (report.lockstep.divergence)
    message +=
        fmt::format(": {} {}", report.lockstep.divergence->stage, report.lockstep.divergence->field.field);
  for (const std::string& shortfall : report.shortfalls) text += shortfall + "\n";
  const std::string_view tag = differs ? "failure" : "error";
  return fmt::format("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", tag, name_of(report.verdict),
                     escaped(message), escaped(text), tag);
}

std::string suite(std::string_view name, const std::vector<CaseReport>& reports) {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0.0;
  for (const CaseReport& report : reports) {
    if (report.suite != name) continue;
    ++tests;
    if (report.verdict == Verdict::differs) ++failures;
    if (report.verdict == Verdict::mistrusted || report.verdict == Verdict::refused) ++errors;
    seconds += report.seconds;
    const std::string inside = outcome(report);
    cases += fmt::format("    <testcase classname=\"repose.verify.{}{}\" name=\"{}\" time=\"{:.6f}\"{}\n",
                         name, report.takes_long ? ".long" : "", escaped(report.name), report.seconds,
                         inside.empty() ? "/>" : ">");
    if (!inside.empty()) cases += inside + "    </testcase>\n";
  }
  if (tests == 0) return "";
  return fmt::format(
             "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" "
             "time=\"{:.6f}\">\n",
             name, tests, failures, errors, seconds) +
         cases + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(const std::vector<CaseReport>& reports) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"repose verify\">\n" +
         suite("lockstep", reports) + suite("bits", reports) + suite("exact", reports) +
         suite("invariants", reports) + "</testsuites>\n";
}

}  // namespace repose::crosscheck
