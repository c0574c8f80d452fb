#include "experiments/report/html.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace repose::experiments {

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= left ? digits[(group >> (18 - 6 * k)) & 63U] : '=';
    }
  }
  return out;
}

std::string data_address(const std::filesystem::path& png) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(png, error))
    throw BadInput(png.string() + ": named by a result, but there is no such file");
  std::ifstream file(png, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty()) throw BadInput(png.string() + ": named by a result, but it cannot be read");
  return "data:image/png;base64," + base64(bytes);
}

std::string page_head(std::string_view title) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<style>
:root {{ --ink: #1d2430; --soft: #5b6472; --page: #ffffff; --panel: #f5f6f8; --line: #d9dde3; --link: #1f5fa8;
  --pass: #1a7f37; --fail: #b3261e; --open: #8a5a00; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e6e9ee; --soft: #a3adba; --page: #14181e; --panel: #1d232b;
  --line: #38414d; --link: #8ab8f0; --pass: #5fcf80; --fail: #ff8a80; --open: #f0be5c; }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }}
main {{ max-width: 76rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }}
h1 {{ font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }}
h2 {{ font-size: 1.4rem; margin: 3rem 0 .4rem; padding-top: 1rem; border-top: 1px solid var(--line); }}
h3 {{ font-size: 1.05rem; margin: 1.8rem 0 .4rem; }}
a {{ color: var(--link); }}
.lead, .soft {{ color: var(--soft); }}
.claim {{ border-left: 4px solid var(--line); padding: .1rem 0 .1rem 1rem; margin: .8rem 0; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; margin: .6rem 0 1rem; font-size: .92rem; }}
th, td {{ text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); }}
thead th {{ border-bottom: 2px solid var(--line); font-weight: 600; white-space: nowrap; }}
tbody th {{ font-weight: 500; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
td .soft {{ font-size: .86rem; }}
code, .name {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .86em; }}
.verdict {{ font-weight: 600; white-space: nowrap; }}
.pass {{ color: var(--pass); }} .fail {{ color: var(--fail); }} .open {{ color: var(--open); }}
figure {{ margin: 1.2rem 0; }}
figure img {{ display: block; max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: 4px; }}
figcaption {{ color: var(--soft); font-size: .9rem; margin-top: .35rem; }}
.plots {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 0 1.5rem; align-items: start; }}
details {{ background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .5rem .9rem; margin: .6rem 0; }}
summary {{ cursor: pointer; font-weight: 600; }}
@media print {{ body {{ font-size: 10.5pt; }} main {{ max-width: none; padding: 0; }} h2 {{ break-before: page; }}
  figure, tr {{ break-inside: avoid; }} details {{ border: 0; padding: 0; }} a {{ color: inherit; text-decoration: none; }} }}
</style>
</head>
<body>
<main>
)",
                     escape_html(title));
}

std::string verdict_badge(std::string_view verdict) {
  const std::string_view style = verdict == "pass" || verdict == "held" ? "pass"
                                 : verdict == "fail" || verdict == "differs" || verdict == "not held"
                                     ? "fail"
                                     : "open";
  const std::string_view mark = style == "pass" ? "✓" : style == "fail" ? "✗" : "○";
  return fmt::format("<span class=\"verdict {}\"><span aria-hidden=\"true\">{}</span> {}</span>", style, mark,
                     escape_html(verdict));
}

std::string shown(const nlohmann::json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return value.dump();
}

}  // namespace repose::experiments
