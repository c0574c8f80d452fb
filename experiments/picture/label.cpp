#include "experiments/picture/label.h"

#ifdef REPOSE_HAVE_CAIRO
#include "experiments/picture/canvas.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>
#endif

namespace repose::experiments {

#ifdef REPOSE_HAVE_CAIRO

namespace {

using Eigen::Vector2f;

/// Deletes by a function.
template <auto function>
struct By {
  template <class T>
  void operator()(T* object) const {
    function(object);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, By<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, By<cairo_destroy>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, By<cairo_font_options_destroy>>;

void require(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_INVALID_STRING) throw std::invalid_argument("a label is not UTF-8");
  throw std::runtime_error(std::string("a label cannot be painted: ") + cairo_status_to_string(status));
}

/// Ink on an empty sheet, and a pen whose digits have a height.
class Sheet {
 public:
  Sheet(int width, int height, float size)
      : width_(width),
        height_(height),
        surface_(cairo_image_surface_create(CAIRO_FORMAT_A8, width, height)),
        context_(cairo_create(surface_.get())) {
    // Outlines as the font has them: a grid that letters are fitted to is a matter of each machine's settings.
    const FontOptions options(cairo_font_options_create());
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context_.get(), options.get());
    cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_select_font_face(context_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    // The font's size is that of its lines: the height of its digits is asked for at a size of many pixels.
    constexpr double many = 1000.0;
    cairo_set_font_size(context_.get(), many);
    cairo_set_font_size(context_.get(), many * static_cast<double>(size) / extents("1").height);
    require(cairo_status(context_.get()));
  }

  cairo_text_extents_t extents(const std::string& text) const {
    cairo_text_extents_t result;
    cairo_text_extents(context_.get(), text.c_str(), &result);
    require(cairo_status(context_.get()));
    return result;
  }

  /// Of one character, as its bytes; false where they are none.
  bool has(const std::string& character) const {
    cairo_glyph_t* glyphs = nullptr;
    int count = 0;
    const cairo_status_t status = cairo_scaled_font_text_to_glyphs(
        cairo_get_scaled_font(context_.get()), 0.0, 0.0, character.c_str(),
        static_cast<int>(character.size()), &glyphs, &count, nullptr, nullptr, nullptr);
    const std::unique_ptr<cairo_glyph_t, By<cairo_glyph_free>> owned(glyphs);
    if (status == CAIRO_STATUS_INVALID_STRING) return false;
    require(status);
    return count == 1 && glyphs[0].index != 0;
  }

  /// @param at left end of the line that letters stand on [pixels]
  void write(const std::string& text, const Vector2f& at) {
    cairo_move_to(context_.get(), static_cast<double>(at.x()), static_cast<double>(at.y()));
    // As outlines: cairo puts letters themselves at whole pixels, which spaces them unevenly.
    cairo_text_path(context_.get(), text.c_str());
    cairo_fill(context_.get());
    require(cairo_status(context_.get()));
    cairo_surface_flush(surface_.get());
  }

  void blend_into(Image& image, int left, int top) const {
    constexpr Colour dark{45.0F / 255.0F, 45.0F / 255.0F, 45.0F / 255.0F};
    const unsigned char* cover = cairo_image_surface_get_data(surface_.get());
    const int stride = cairo_image_surface_get_stride(surface_.get());
    for (int row = 0; row < height_; ++row)
      for (int column = 0; column < width_; ++column)
        blend(image, left + column, top + row, dark, cover[row * stride + column] / 255.0);
  }

 private:
  int width_;
  int height_;
  Surface surface_;
  Context context_;
};

/// Characters of a text in UTF-8, each as its bytes. A byte that begins no character stands for itself.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t most = lead < 0xc0 || lead >= 0xf8 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::size_t length = 1;
    while (length < most && i + length < text.size() &&
           (static_cast<unsigned char>(text[i + length]) & 0xc0U) == 0x80U)
      ++length;
    all.push_back(text.substr(i, length));
    i += length;
  }
  return all;
}

bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  return lead < 0x20 || lead == 0x7f;
}

}  // namespace

bool can_label() { return true; }

float text_length(std::string_view text, float size) {
  return static_cast<float>(Sheet(1, 1, size).extents(std::string(text)).x_advance);
}

std::string paintable(std::string_view text, float size, float longest) {
  const Sheet sheet(1, 1, size);
  const auto fits = [&](const std::string& word) {
    return static_cast<float>(sheet.extents(word).x_advance) <= longest;
  };
  std::string whole;
  std::string cut = "...";
  for (const std::string_view character : characters(text)) {
    const bool known = !is_control(character) && sheet.has(std::string(character));
    const std::string painted = known ? std::string(character) : "?";
    if (fits(whole + painted + "...")) cut = whole + painted + "...";
    whole += painted;
    if (!fits(whole)) return cut;
  }
  return whole;
}

void paint_text(Image& image, std::string_view text, const Vector2f& middle, float size) {
  const Vector2f extent(text_length(text, size), size);
  const Vector2f corner = middle - 0.5F * extent;
  // Letters that hang below the line, and accents above capitals.
  const Vector2f around = Vector2f::Constant(0.5F * size + 2.0F);
  const Vector2f whole(static_cast<float>(image.width), static_cast<float>(image.height));
  const Vector2f low = (corner - around).cwiseMax(0.0F).cwiseMin(whole);
  const Vector2f high = (corner + extent + around).cwiseMax(0.0F).cwiseMin(whole);
  if (!(low.x() < high.x() && low.y() < high.y())) return;
  const int left = static_cast<int>(low.x());
  const int top = static_cast<int>(low.y());
  Sheet sheet(static_cast<int>(std::ceil(high.x())) - left, static_cast<int>(std::ceil(high.y())) - top,
              size);
  sheet.write(std::string(text), corner + Vector2f(0.0F, size) - Vector2f(left, top));
  sheet.blend_into(image, left, top);
}

#else

bool can_label() { return false; }

float text_length(std::string_view, float) { return 0.0F; }

std::string paintable(std::string_view text, float, float) { return std::string(text); }

void paint_text(Image&, std::string_view, const Eigen::Vector2f&, float) {}

#endif

}  // namespace repose::experiments
