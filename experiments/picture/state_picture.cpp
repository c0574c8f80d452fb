#include "experiments/picture/state_picture.h"

#include "experiments/picture/canvas.h"
#include "experiments/picture/label.h"
#include "experiments/picture/look.h"
#include "experiments/picture/state_picture_parts.h"
#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::experiments {

namespace state_picture {

namespace {

std::vector<Grain> grains(const StoredState& state, const Scene& scene, const StatePictureOptions& options,
                          const std::optional<ColourRange>& range) {
  const Snapshot& snapshot = state.snapshot;
  const std::size_t count = snapshot.particles();
  if (count == 0) return {};
  const auto dim = static_cast<std::size_t>(scene.dim());
  const Look& look = look_of(scene);
  const std::vector<double>& x = drawn_values(snapshot, field::x, scene.dim());
  const std::vector<double>* volume = look.volume.empty() ? nullptr : &drawn_values(snapshot, look.volume, 1);
  const std::vector<Colour> colour = colours(snapshot, scene, options.colour, range);
  std::vector<Grain> result;
  result.reserve(count);
  const double farthest = 4.0 * (scene.grid.domain_max() - scene.grid.domain_min).norm();
  for (std::size_t p = 0; p < count; ++p) {
    const double size = volume == nullptr ? 0.5 * scene.grid.h : std::pow((*volume)[p], 1.0 / scene.dim());
    Grain grain{.at = Point::Zero(), .size = size, .colour = colour[p]};
    for (std::size_t axis = 0; axis < dim; ++axis)
      grain.at[static_cast<Eigen::Index>(axis)] = x[dim * p + axis];
    const bool near = (grain.at - scene.grid.domain_min).norm() <= farthest;  // false for nan
    if (near && grain.size <= farthest) result.push_back(grain);
  }
  return result;
}

/// "time 0.4 s, frame 20, 4012 particles, optimized solver in float"
std::string about(const Frame& frame) {
  const StateOrigin& origin = frame.state.origin;
  const std::size_t count = frame.state.snapshot.particles();
  std::string text =
      fmt::format("time {:.4g} s, frame {}, {} particle{}, {} solver in {}", frame.state.snapshot.time,
                  origin.frame, count, count == 1 ? "" : "s", origin.solver, origin.precision);
  if (frame.grains.size() != count)
    text += fmt::format(", {} of them far outside and not drawn", count - frame.grains.size());
  return text;
}

constexpr double margin = 1.2;  // left and right of the text, in its size

double entry_length(const Legend::Entry& entry, double text) {
  return static_cast<double>(text_length(entry.text, static_cast<float>(text))) + 3.0 * text;
}

void paint_left(Image& image, std::string_view text, double left, double middle, double size) {
  const auto s = static_cast<float>(size);
  paint_text(image, text,
             {static_cast<float>(left) + 0.5F * text_length(text, s), static_cast<float>(middle)}, s);
}

void paint_scale(Image& image, const Legend& legend, double middle, double text) {
  const auto size = static_cast<float>(text);
  const std::string low = fmt::format("{:.3g}", legend.range.low);
  const std::string high = fmt::format("{:.3g}", legend.range.high);
  double left = margin * text;
  for (const std::string& word : {legend.scale, low}) {
    paint_left(image, word, left, middle, text);
    left += static_cast<double>(text_length(word, size)) + text;
  }
  // Whole pixels, each of the scale's own colour.
  left = std::round(left);
  const double bar = std::round(std::max(4.0 * text, std::min(0.25 * image.width, 16.0 * text)));
  for (double x = 0.0; x < bar; x += 1.0) {
    paint_rectangle(image, {left + x, middle - 0.5 * text}, {left + x + 1.0, middle + 0.5 * text},
                    scale_colour(x / (bar - 1.0)));
  }
  paint_left(image, high, left + bar + text, middle, text);
}

/// The ground alone needs no word.
bool shows_bodies(const Frame& frame) {
  const Scene& scene = frame.scene;
  const auto needs_word = [&](const Collider& collider) {
    return scene.dim() == 2 ||
           !is_ground(body_of(collider, frame.state.snapshot.time, upright(scene.gravity)));
  };
  return std::any_of(scene.colliders.begin(), scene.colliders.end(), needs_word);
}

}  // namespace

Footer footer(const Frame& frame, const Legend& legend) {
  Footer result;
  result.text = std::clamp(frame.options.width / 75.0, 9.0, 24.0);
  result.line = 2.0 * result.text;
  const auto size = static_cast<float>(result.text);
  const double room = frame.options.width - 2.0 * margin * result.text;
  double used = room + 1.0;
  std::vector<Legend::Entry> entries = legend.entries;
  if (shows_bodies(frame)) entries.push_back({body_colour, "rigid body"});
  if (!frame.scene.emitters.empty()) entries.push_back({opening_colour, "opening of an emitter"});
  for (Legend::Entry entry : entries) {
    entry.text = paintable(entry.text, size, static_cast<float>(std::max(room - 3.0 * result.text, 0.0)));
    used += entry_length(entry, result.text);
    if (used > room) {
      if (result.rows.size() == 6) break;  // of some hundred materials no more is told
      result.rows.emplace_back();
      used = entry_length(entry, result.text);
    }
    result.rows.back().push_back(entry);
  }
  const double lines = 2.0 + static_cast<double>(result.rows.size()) + (legend.scale.empty() ? 0.0 : 1.0);
  result.height = static_cast<int>(std::ceil(result.line * lines + 0.8 * result.text));
  return result;
}

void paint_footer(Image& image, const Frame& frame, const Legend& legend, const Footer& footer) {
  const auto size = static_cast<float>(footer.text);
  const double left = margin * footer.text;
  const double ruler = frame.scene.dim() == 2 ? paint_ruler(image, frame, footer) : 0.0;
  const auto room = static_cast<float>(image.width - 2.0 * left - ruler);
  double middle = image.height - footer.height + 0.4 * footer.text + 0.5 * footer.line;
  for (const std::string& text : {frame.scene.title, about(frame)}) {
    paint_left(image, paintable(text, size, room), left, middle, footer.text);
    middle += footer.line;
  }
  if (!legend.scale.empty()) {
    paint_scale(image, legend, middle, footer.text);
    middle += footer.line;
  }
  for (const auto& row : footer.rows) {
    double x = left;
    for (const Legend::Entry& entry : row) {
      paint_rectangle(image, {x, middle - 0.5 * footer.text}, {x + footer.text, middle + 0.5 * footer.text},
                      entry.colour);
      paint_left(image, entry.text, x + 1.5 * footer.text, middle, footer.text);
      x += entry_length(entry, footer.text);
    }
    middle += footer.line;
  }
}

}  // namespace state_picture

Image draw_state(const StoredState& state, const Scene& scene, const StatePictureOptions& options) {
  using namespace state_picture;
  const auto range = options.range ? options.range : colour_range(state.snapshot, scene, options.colour);
  const Frame frame{
      .state = state, .scene = scene, .options = options, .grains = grains(state, scene, options, range)};
  const Legend words = legend(scene, options.colour, range);
  const Footer below = footer(frame, words);
  const bool plane = scene.dim() == 2;
  const double shape = plane ? std::clamp(plane_shape(frame), 0.15, 1.5) : 0.62;
  const int height = options.height > 0 ? options.height
                                        : static_cast<int>(std::lround(shape * options.width)) + below.height;
  if (height - below.height < 16) {
    throw BadInput(fmt::format("a picture of {} x {} pixels leaves no room above its legend of {} pixels",
                               options.width, height, below.height));
  }
  Image image = plain_image(options.width, height, {1.0F, 1.0F, 1.0F});
  paint_image(image,
              plane ? draw_plane(frame, options.width, height - below.height)
                    : draw_space(frame, options.width, height - below.height),
              0, 0);
  paint_footer(image, frame, words, below);
  return image;
}

}  // namespace repose::experiments
