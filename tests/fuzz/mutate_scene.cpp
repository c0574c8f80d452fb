#include "tests/fuzz/mutate_scene.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace repose::fuzz {

namespace {

using Lines = std::vector<std::string>;

std::vector<std::string> split(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

const std::vector<std::string> nasty_numbers = split(
    "0 -0.0 -1 1 2 3 4 0.5 1e308 -1e308 1.7976931348623157e308 5e-324 1e-308 1e300 1e-300 1e154 "
    "1e-154 1e50 1e51 1e-50 1e-51 1e18 1e9 1e6 1e-3 1e-6 1e-9 1e-15 nan inf -inf "
    "9007199254740993 9223372036854775807 -9223372036854775808 99999999999999999999 4294967296 "
    "4294967298 2147483648 1000000 1_000 0x10 0.1 1e-1 89.999999999999999 0.49999999999999994 "
    "-0.99999999999999989 true [] {} [[1]] 1979-05-27 07:32:00");

const std::vector<std::string> nasty_texts{
    "\"\"",       "[0, 0]",      "[0, 0, 0]",   "[1e308, -1e308]",      "[1e-320, 1e-320]",
    "[nan, 0]",   "[\"a\"]",     "\"sand\"",    "\"a\\nb\\u001b[31m\"", "\"\"\"a\nb\nc\"\"\"",
    "'''x\ny'''", "\"\\u0000\"", "\"\\u202e\"", "{ a.b.c = 1 }",        "[1, [2, [3, [4]]]]",
    "",           "= 1"};

const std::vector<std::string> words = split(
    "box sphere cylinder wedge half_space room sticky slipping separating apic pic flip flip_pic cubic "
    "quadratic explicit semi_implicit implicit elastic hencky unilateral opening opening_and_closing mpm "
    "poisson_disk "
    "regular jittered sand "
    "rubber x_min z_max");

const std::vector<std::string> keys = split(
    "title method mpm.kernel dimension spacing kernel transfer flip_share gravity frame_rate duration max_dt "
    "cfl "
    "elastic_bound integrator particle_motion domain.min domain.max domain.periodic domain name kind density "
    "youngs_modulus "
    "poisson_ratio friction_angle_deg friction_angle_rad friction_alpha h0_deg h1_rad h2 h3_deg "
    "volume_correction cohesion von_mises hardening_apart unilateral energy a b c0 s_C strain_unit shape min "
    "max centre radius axis length tip edge angle_deg angle_rad material seed sampling "
    "particles_per_cell velocity spin rate start stop hollow contact friction "
    "friction_from_push_only walls point normal newton_tolerance newton_iterations gmres_restart "
    "gmres_iterations gmres_tolerance step_cuts a.b.c.d [[seed]] [mpm] [mpm.implicit] [material.unilateral] "
    "[repose]");

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool is_header(const std::string& line) { return line.starts_with("["); }

/// A table: its header and what follows up to the next; the keys in front of all count as one.
std::pair<std::size_t, std::size_t> table_at(const Lines& lines, std::size_t line) {
  std::size_t begin = line;
  while (begin > 0 && !is_header(lines[begin])) --begin;
  std::size_t end = begin + 1;
  while (end < lines.size() && !is_header(lines[end])) ++end;
  return {begin, end};
}

/// Places of numbers in a line, behind its '='.
std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  constexpr std::string_view digits = "0123456789";
  constexpr std::string_view part = "0123456789+-.eE";
  std::size_t at = line.find('=');
  while (at < line.size() && (at = line.find_first_of(digits, at)) != std::string::npos) {
    const std::size_t end = std::min(line.find_first_not_of(part, at), line.size());
    found.emplace_back(at, end - at);
    at = end;
  }
  return found;
}

std::string value(Dice& dice) {
  if (dice.one_in(8)) return "\"" + dice.of(words) + "\"";
  if (dice.one_in(40)) return "\"" + std::string(1 + dice.below(3000), 'n') + "\"";
  return dice.one_in(5) ? dice.of(nasty_texts) : dice.of(nasty_numbers);
}

void change_value(Lines& lines, Dice& dice) {
  std::string& line = lines[dice.below(lines.size())];
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos) return;
  line = line.substr(0, equals) + "= " + value(dice);
}

void change_number(Lines& lines, Dice& dice) {
  std::string& line = lines[dice.below(lines.size())];
  const auto numbers = numbers_in(line);
  if (numbers.empty()) return;
  const auto [at, length] = dice.of(numbers);
  const std::string old = line.substr(at, length);
  std::string fresh = dice.of(nasty_numbers);
  if (dice.one_in(2)) {
    // Near the old one: orders of magnitude, a digit, a sign.
    const std::vector<std::string> near{old + "e" + std::to_string(static_cast<int>(dice.below(25)) - 12),
                                        old + "0",
                                        "-" + old,
                                        old + ".5",
                                        old + "000",
                                        "0." + old};
    fresh = dice.of(near);
  }
  line.replace(at, length, fresh);
}

void change_word(Lines& lines, Dice& dice) {
  std::string& line = lines[dice.below(lines.size())];
  const std::size_t open = line.find('"');
  const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
  if (close == std::string::npos) return;
  line.replace(open + 1, close - open - 1, dice.of(words));
}

void change_key(Lines& lines, Dice& dice) {
  std::string& line = lines[dice.below(lines.size())];
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos) return;
  std::string key = line.substr(0, equals);
  if (dice.one_in(2)) {
    key = dice.of(keys) + " ";
  } else {
    key.insert(dice.below(key.size() + 1), 1, static_cast<char>('a' + dice.below(26)));
  }
  line = key + line.substr(equals);
}

void add_line(Lines& lines, Dice& dice) {
  const std::size_t at = dice.below(lines.size() + 1);
  const std::string key = dice.of(keys);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
               key.starts_with("[") ? key : key + " = " + value(dice));
}

void move_line(Lines& lines, Dice& dice) {
  const std::size_t from = dice.below(lines.size());
  const std::size_t to = dice.below(lines.size());
  if (dice.one_in(3)) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from));
    if (lines.empty()) lines.emplace_back();
  } else if (dice.one_in(2)) {
    std::swap(lines[from], lines[to]);
  } else {
    const std::string copy = lines[from];
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), copy);
  }
}

void change_table(Lines& lines, const std::vector<std::string>& scenes, Dice& dice) {
  const auto [begin, end] = table_at(lines, dice.below(lines.size()));
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = lines.begin() + static_cast<std::ptrdiff_t>(end);
  const std::size_t what = dice.below(4);
  if (what == 0) {
    lines.erase(first, last);
    if (lines.empty()) lines.emplace_back();
  } else if (what == 1) {
    const Lines copy(first, last);
    lines.insert(lines.end(), copy.begin(), copy.end());
  } else if (what == 2) {
    // Of another scene.
    const Lines other = lines_of(dice.of(scenes));
    const auto [from, to] = table_at(other, dice.below(other.size()));
    lines.insert(lines.end(), other.begin() + static_cast<std::ptrdiff_t>(from),
                 other.begin() + static_cast<std::ptrdiff_t>(to));
  } else {
    lines[begin] = dice.of(std::vector<std::string>{"[[seed]]", "[[collider]]", "[[emitter]]", "[[material]]",
                                                    "[implicit]", "[domain]", "[repose]", "[[domain]]",
                                                    "[seed]", "[a.b.c]"});
  }
}

/// Keys of very many parts, and values inside values.
void add_depth(Lines& lines, Dice& dice) {
  const std::size_t depth = dice.below(60000);
  const std::size_t what = dice.below(4);
  const std::string piece = what < 2 ? "a." : what == 2 ? "[" : "{a=";
  std::string line = what < 2 ? "" : "x = ";
  for (std::size_t i = 0; i < depth; ++i) line += piece;
  if (what == 0) line += "a = 1";
  if (what == 1) line = "[" + line + "a]";
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(dice.below(lines.size() + 1)), line);
}

void change_bytes(std::string& text, Dice& dice) {
  if (text.empty()) return;
  const std::size_t at = dice.below(text.size());
  switch (dice.below(5)) {
    case 0:
      text[at] = static_cast<char>(dice.below(256));
      break;
    case 1: {
      const std::size_t times = 1 + dice.below(8);
      text.insert(at, times, static_cast<char>(dice.below(256)));
      break;
    }
    case 2:
      text.erase(at, 1 + dice.below(40));
      break;
    case 3:
      text.resize(at);
      break;
    default: {
      // What opens and is not closed, and what nests.
      const std::vector<std::string> pieces{
          "\"\"\"", "'''", "[", "{", "\"", "#", "\\", "=", ".", "\r", "\xEF\xBB\xBF", "\xff\xfe", "\x1b[2J"};
      std::string piece = dice.of(pieces);
      if (dice.one_in(4)) {
        const std::size_t times = 1 + dice.below(3000);
        std::string many;
        for (std::size_t i = 0; i < times; ++i) many += piece;
        piece = many;
      }
      text.insert(at, piece);
    }
  }
}

}  // namespace

Dice::Dice(std::uint64_t seed, std::uint64_t number) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                         static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32U)};
  engine_.seed(sequence);
}

std::vector<std::string> scenes_to_mutate() {
  std::vector<std::filesystem::path> files;
  // The small ones several times: most of what is accepted of them is run for some steps.
  for (const char* folder :
       {"/tests/fuzz/scenes", "/tests/fuzz/scenes", "/tests/fuzz/scenes", "/data/scenes"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(REPOSE_SOURCE_DIR) + folder)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> scenes;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    scenes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return scenes;
}

std::string mutated(const std::vector<std::string>& scenes, Dice& dice) {
  Lines lines = lines_of(dice.of(scenes));
  // One change in half of the cases: with four hardly any scene is accepted.
  const std::size_t changes = 1 + (dice.one_in(2) ? 0 : dice.below(4));
  bool bytes = false;
  for (std::size_t i = 0; i < changes; ++i) {
    switch (dice.below(10)) {
      case 0:
      case 1:
        change_value(lines, dice);
        break;
      case 2:
      case 3:
      case 4:
        change_number(lines, dice);
        break;
      case 5:
        change_word(lines, dice);
        break;
      case 6:
        change_key(lines, dice);
        break;
      case 7:
        add_line(lines, dice);
        break;
      case 8:
        change_table(lines, scenes, dice);
        break;
      default: {
        const std::size_t what = dice.below(5);
        if (what < 2) {
          move_line(lines, dice);
        } else if (what < 4) {
          bytes = true;
        } else {
          add_depth(lines, dice);
        }
      }
    }
  }
  std::string text = text_of(lines);
  if (bytes) change_bytes(text, dice);
  return text;
}

}  // namespace repose::fuzz
