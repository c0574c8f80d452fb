#include "experiments/picture/picture.h"

#include <cstdio>
#include <stdexcept>

#ifdef REPOSE_HAVE_PNG
#include <png.h>
#endif

namespace repose::experiments {

#ifdef REPOSE_HAVE_PNG

bool can_write_png() { return true; }

void write_png(const Image& image, const std::filesystem::path& file) {
  png_image head{};
  head.version = PNG_IMAGE_VERSION;
  head.width = static_cast<png_uint_32>(image.width);
  head.height = static_cast<png_uint_32>(image.height);
  head.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&head, file.c_str(), 0, image.rgb.data(), 3 * image.width, nullptr) == 0) {
    throw std::runtime_error(file.string() + ": " + std::string(head.message));
  }
}

#else

bool can_write_png() { return false; }

void write_png(const Image&, const std::filesystem::path& file) {
  throw std::runtime_error(file.string() + ": this build has no PNG (install libpng-dev and build again)");
}

#endif

}  // namespace repose::experiments
