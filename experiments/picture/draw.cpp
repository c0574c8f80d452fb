#include "experiments/picture/bodies.h"
#include "experiments/picture/camera.h"
#include "experiments/picture/label.h"
#include "experiments/picture/picture.h"
#include "experiments/picture/shadow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace repose::experiments {

namespace {

using Eigen::Vector3f;

constexpr float nothing = std::numeric_limits<float>::max();
constexpr std::uint32_t no_ball = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t no_body = std::numeric_limits<std::uint16_t>::max();

/// First surface seen through each pixel: distance along the ray [m], and the ball or the body it belongs to; the floor
/// has neither. A body before a ball veils it: the distance is that of the ball.
struct Seen {
  int width = 0;
  int height = 0;
  std::vector<float> distance;
  std::vector<std::uint32_t> ball;
  std::vector<std::uint16_t> body;

  std::size_t at(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  }
};

/// Balls into the depth buffer, each by the exact intersection of its pixels' rays.
void splat(std::span<const Ball> balls, const Camera& camera, Seen& seen) {
  for (std::size_t id = 0; id < balls.size(); ++id) {
    const Ball& ball = balls[id];
    const Vector3f c = camera.to_camera(ball.centre);
    if (c.z() <= 2.0F * ball.radius) continue;
    const Eigen::Vector2f middle = camera.project(c);
    const float reach = 1.2F * camera.focal() * ball.radius / c.z() + 1.0F;
    const int first_row = std::max(0, static_cast<int>(middle.y() - reach));
    const int last_row = std::min(seen.height - 1, static_cast<int>(middle.y() + reach));
    const int first_column = std::max(0, static_cast<int>(middle.x() - reach));
    const int last_column = std::min(seen.width - 1, static_cast<int>(middle.x() + reach));
    for (int row = first_row; row <= last_row; ++row) {
      for (int column = first_column; column <= last_column; ++column) {
        const Vector3f ray = camera.ray(column, row);
        const float along = ray.dot(c);
        const float square = ball.radius * ball.radius - (c - along * ray).squaredNorm();
        if (square < 0.0F) continue;
        const float distance = along - std::sqrt(square);
        if (distance >= seen.distance[seen.at(column, row)]) continue;
        seen.distance[seen.at(column, row)] = distance;
        seen.ball[seen.at(column, row)] = static_cast<std::uint32_t>(id);
      }
    }
  }
}

void add_bodies(std::span<const Body> bodies, const View& view, const Camera& camera, Seen& seen) {
  if (bodies.empty()) return;
  for (int row = 0; row < seen.height; ++row) {
    for (int column = 0; column < seen.width; ++column) {
      const std::size_t pixel = seen.at(column, row);
      const Point way = camera.turn_back(camera.ray(column, row)).cast<double>();
      float nearest = seen.distance[pixel];
      for (std::size_t id = 0; id < bodies.size(); ++id) {
        const auto hit = first_hit(bodies[id], view.eye, way);
        if (!hit || static_cast<float>(hit->distance) >= nearest) continue;
        const Point at = view.eye + hit->distance * way;
        const auto hides = [&](const Body& other) { return &other != &bodies[id] && buried(other, at); };
        if (std::any_of(bodies.begin(), bodies.end(), hides)) continue;
        nearest = static_cast<float>(hit->distance);
        seen.body[pixel] = static_cast<std::uint16_t>(id);
      }
      if (seen.ball[pixel] == no_ball) seen.distance[pixel] = nearest;
    }
  }
}

void add_floor(const View& view, const Camera& camera, Seen& seen) {
  if (!std::isfinite(view.floor)) return;
  const float above = static_cast<float>(view.eye.y() - view.floor);
  for (int row = 0; row < seen.height; ++row) {
    for (int column = 0; column < seen.width; ++column) {
      const float fall = -camera.turn_back(camera.ray(column, row)).y();
      if (fall <= 1e-6F) continue;  // the ray meets the horizon or the sky
      float& distance = seen.distance[seen.at(column, row)];
      if (above / fall < distance) {
        distance = above / fall;
        seen.ball[seen.at(column, row)] = no_ball;
      }
    }
  }
}

/// Number in [0, 1) that looks random, from a pixel and a counter.
float dice(std::uint32_t pixel, std::uint32_t counter) {
  std::uint64_t z = (static_cast<std::uint64_t>(pixel) << 32) | counter;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24F;
}

/// Share of the sky a point sees: places around it are looked up in the depth buffer.
float open_sky(const Seen& seen, const Camera& camera, const Vector3f& at, const Vector3f& normal,
               float reach, std::uint32_t pixel) {
  constexpr std::uint32_t tries = 6;  // times the samples of a pixel
  float shut = 0.0F;
  for (std::uint32_t i = 0; i < tries; ++i) {
    const float cosine = 1.0F - 2.0F * dice(pixel, 3 * i);
    const float angle = 2.0F * std::numbers::pi_v<float> * dice(pixel, 3 * i + 1);
    const float sine = std::sqrt(std::max(0.0F, 1.0F - cosine * cosine));
    Vector3f way(sine * std::cos(angle), sine * std::sin(angle), cosine);
    if (way.dot(normal) < 0.0F) way = -way;
    const Vector3f probe =
        at + (0.08F + 0.92F * dice(pixel, 3 * i + 2)) * reach * way + 0.04F * reach * normal;
    const Eigen::Vector2f place = camera.project(probe);
    const int column = static_cast<int>(std::floor(place.x()));
    const int row = static_cast<int>(std::floor(place.y()));
    if (column < 0 || row < 0 || column >= seen.width || row >= seen.height) continue;
    const float before = probe.norm() - seen.distance[seen.at(column, row)];
    if (before > 0.0F && before < 2.0F * reach) shut += 1.0F;
  }
  return 1.0F - shut / static_cast<float>(tries);
}

float to_linear(float c) { return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F); }
float to_srgb(float c) { return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1.0F / 2.4F) - 0.055F; }

Vector3f linear(const Colour& c) { return {to_linear(c[0]), to_linear(c[1]), to_linear(c[2])}; }

/// Light that a matte surface sends to the eye, linear.
Vector3f shade(const Vector3f& albedo, const Vector3f& normal, const Vector3f& light, float lit, float open) {
  const Vector3f sun(1.42F, 1.36F, 1.26F);
  const Vector3f sky(0.44F, 0.47F, 0.52F);
  const Vector3f ground(0.22F, 0.20F, 0.18F);
  const float up = 0.5F + 0.5F * normal.y();
  const Vector3f around = (up * sky + (1.0F - up) * ground) * open * open;
  return albedo.cwiseProduct(sun * (lit * std::max(0.0F, normal.dot(light))) + around);
}

std::uint8_t to_byte(float linear_value) {
  return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(to_srgb(linear_value), 0.0F, 1.0F)));
}

}  // namespace

Image draw(std::span<const Ball> balls, std::span<const Body> bodies, std::span<const Label> labels,
           const View& view) {
  if (view.width < 1 || view.height < 1 || view.samples < 1)
    throw std::invalid_argument("a picture needs pixels");
  if (balls.size() >= no_ball || bodies.size() >= no_body)
    throw std::invalid_argument("too many balls or bodies for one picture");
  Seen seen{.width = view.width * view.samples,
            .height = view.height * view.samples,
            .distance = {},
            .ball = {},
            .body = {}};
  seen.distance.assign(static_cast<std::size_t>(seen.width) * static_cast<std::size_t>(seen.height), nothing);
  seen.ball.assign(seen.distance.size(), no_ball);
  seen.body.assign(seen.distance.size(), no_body);
  const Camera camera(view, seen.width, seen.height);
  splat(balls, camera, seen);
  add_floor(view, camera, seen);
  add_bodies(bodies, view, camera, seen);

  const ShadowMap shadow(balls, view.to_light);
  const Vector3f light = view.to_light.normalized().cast<float>();
  const float reach = view.occlusion_radius > 0.0 ? static_cast<float>(view.occlusion_radius)
                      : balls.empty()             ? 0.0F
                                                  : 4.0F * balls.front().radius;
  const Colour floor_colour{0.78F, 0.77F, 0.75F};
  const Vector3f background = linear({0.93F, 0.935F, 0.94F});
  const float far_away = static_cast<float>((view.eye - view.target).norm());

  Image image{.width = view.width, .height = view.height, .rgb = {}};
  image.rgb.reserve(3U * static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  const float share = 1.0F / static_cast<float>(view.samples * view.samples);
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      Vector3f sum = Vector3f::Zero();
      for (int sample = 0; sample < view.samples * view.samples; ++sample) {
        const int x = column * view.samples + sample % view.samples;
        const int y = row * view.samples + sample / view.samples;
        const std::size_t pixel = seen.at(x, y);
        if (seen.distance[pixel] == nothing) {
          sum += background;
          continue;
        }
        const Vector3f in_camera = seen.distance[pixel] * camera.ray(x, y);
        const Vector3f at = camera.to_scene(in_camera);
        const bool is_ball = seen.ball[pixel] != no_ball;
        const auto number = static_cast<std::uint32_t>(pixel);
        const auto colour_of = [&](const Colour& albedo, const Vector3f& normal) {
          const float open =
              reach > 0.0F ? open_sky(seen, camera, in_camera, camera.turn(normal), reach, number) : 1.0F;
          return shade(linear(albedo), normal, light, shadow.light_at(at, dice(number, 0xffffU)), open);
        };
        Vector3f colour = background;
        if (is_ball) {
          const Ball& ball = balls[seen.ball[pixel]];
          colour = colour_of(ball.colour, (at - ball.centre).normalized());
        } else if (seen.body[pixel] == no_body) {
          colour = colour_of(floor_colour, Vector3f::UnitY());
          // fade to the background towards the horizon
          const float fade = std::clamp(seen.distance[pixel] / far_away - 1.0F, 0.0F, 1.0F);
          colour += (background - colour) * (fade * fade * (3.0F - 2.0F * fade));
        }
        if (seen.body[pixel] != no_body) {
          const Body& body = bodies[seen.body[pixel]];
          const Point way = camera.turn_back(camera.ray(x, y)).cast<double>();
          const auto hit = first_hit(body, view.eye, way);
          const Vector3f normal = hit ? hit->normal.cast<float>().eval() : Vector3f::UnitY().eval();
          const Vector3f front = is_ball ? shade(linear(body.colour), normal, light, 1.0F, 1.0F)
                                         : colour_of(body.colour, normal);
          colour += (is_ball ? body.cover : 1.0F) * (front - colour);
        }
        sum += colour.cwiseMin(1.0F);
      }
      for (const float channel : {sum[0], sum[1], sum[2]}) image.rgb.push_back(to_byte(channel * share));
    }
  }
  const Camera whole(view, view.width, view.height);
  for (const Label& label : labels) {
    const Vector3f c = whole.to_camera(label.at.cast<float>());
    if (c.z() > 0.0F)
      paint_text(image, label.text, whole.project(c), 0.045F * static_cast<float>(view.height));
  }
  return image;
}

Colour grain_colour(std::uint64_t id) {
  std::uint64_t z = id + 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  const double share = static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  if (share < 0.85) return {225.0F / 255.0F, 169.0F / 255.0F, 95.0F / 255.0F};
  if (share < 0.95) return {107.0F / 255.0F, 84.0F / 255.0F, 30.0F / 255.0F};
  return {1.0F, 1.0F, 1.0F};
}

}  // namespace repose::experiments
