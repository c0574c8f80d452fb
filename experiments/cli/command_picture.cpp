#include "experiments/cli/commands.h"
#include "experiments/picture/label.h"
#include "experiments/picture/state_picture.h"
#include "experiments/run/console.h"
#include "experiments/run/run_folder.h"
#include "reference/interface/base/error.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace repose::cli {

namespace {

namespace fs = std::filesystem;
using experiments::ColourRange;
using experiments::RunFolder;
using experiments::StatePictureOptions;

struct PictureArguments {
  std::string run;
  std::string colour;  ///< empty: the first that the run's method has
  std::string out;
  std::int64_t frame = -1;
  bool every = false;
  bool quiet = false;
  int width = 1200;
  int height = 0;
  std::vector<double> range;
  std::vector<double> window;
  std::vector<double> eye;
  std::vector<double> target;
  double field_of_view_deg = 0.0;
};

constexpr double usual_field_of_view_deg = 26.0;

/// Finite numbers, and each pair of a lower and an upper bound in order.
void require_numbers(std::string_view option, const std::vector<double>& numbers, std::size_t bounds) {
  for (const double number : numbers) {
    if (!std::isfinite(number))
      throw BadInput(fmt::format("{} {}: finite numbers are needed", option, fmt::join(numbers, " ")));
  }
  const std::size_t half = numbers.size() / 2;
  for (std::size_t i = 0; bounds > 0 && i < half; ++i) {
    if (!(numbers[i] < numbers[i + half])) {
      throw BadInput(fmt::format("{} {}: {} is not below {}", option, fmt::join(numbers, " "), numbers[i],
                                 numbers[i + half]));
    }
  }
}

std::optional<Point> point(const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  return Point(numbers[0], numbers[1], numbers[2]);
}

StatePictureOptions picture_options(const PictureArguments& a) {
  require_numbers("--range", a.range, 2);
  require_numbers("--window", a.window, 4);
  require_numbers("--eye", a.eye, 0);
  require_numbers("--target", a.target, 0);
  StatePictureOptions options{.colour = a.colour,
                              .width = a.width,
                              .height = a.height,
                              .eye = point(a.eye),
                              .target = point(a.target)};
  if (!a.range.empty()) options.range = ColourRange{.low = a.range[0], .high = a.range[1]};
  if (!a.window.empty()) {
    options.window = {.x_min = a.window[0], .y_min = a.window[1], .x_max = a.window[2], .y_max = a.window[3]};
  }
  const double degrees = a.field_of_view_deg > 0.0 ? a.field_of_view_deg : usual_field_of_view_deg;
  options.field_of_view = degrees * degree;
  return options;
}

void require_meaning(const PictureArguments& a, int dim) {
  const bool camera = !a.eye.empty() || !a.target.empty() || a.field_of_view_deg > 0.0;
  if (dim == 2 && camera) {
    throw BadInput(
        "--eye, --target and --field-of-view-deg are for runs in 3D; of this one in 2D --window "
        "chooses a part");
  }
  if (dim == 3 && !a.window.empty())
    throw BadInput("--window is for runs in 2D; of this one in 3D --eye and --target choose the view");
}

/// States to draw, earliest first.
std::vector<fs::path> chosen_states(const PictureArguments& a, std::vector<std::string>& notes) {
  const fs::path folder = a.run;
  std::vector<fs::path> all = RunFolder::states(folder);
  if (all.empty()) {
    throw BadInput(
        fmt::format("{}: the run holds no state to draw; `repose run` keeps them with --states every "
                    "or last",
                    a.run));
  }
  if (a.every) return all;
  if (a.frame < 0) {
    const auto last = RunFolder::last_state(folder, notes);
    if (!last)
      throw BadInput(fmt::format("{}: {}", a.run, notes.empty() ? "no usable state" : notes.front()));
    return {last->file};
  }
  const fs::path wanted = folder / "states" / state_file_name(a.frame);
  for (const fs::path& file : all)
    if (file == wanted) return {file};
  throw BadInput(fmt::format("--frame {}: {} has no state of that frame; there are {} from {} to {}", a.frame,
                             a.run, all.size(), all.front().filename().string(),
                             all.back().filename().string()));
}

/// frame_0042.png, and frame_0042_checkpoint.png for a state behind that frame's end.
std::string picture_name(const fs::path& state, const StoredState& stored) {
  const bool checkpoint = state.filename() == "checkpoint.hdf";
  return fmt::format("frame_{:04}{}.png", stored.origin.frame, checkpoint ? "_checkpoint" : "");
}

fs::path picture_file(const PictureArguments& a, const std::string& name) {
  if (a.out.empty()) return fs::path(a.run) / "pictures" / name;
  return fs::path(a.out).extension() == ".png" ? fs::path(a.out) : fs::path(a.out) / name;
}

/// What is shown of a series while it is drawn.
class Counter {
 public:
  Counter(std::string_view what, std::size_t all, bool quiet)
      : what_(what), all_(all), shown_(!quiet && all > 1 && isatty(STDERR_FILENO) == 1) {}
  ~Counter() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  void next() {
    if (!shown_) return;
    experiments::tell("\r{} {} of {}\x1b[K", what_, ++done_, all_);
    std::fflush(stderr);
  }

 private:
  std::string_view what_;
  std::size_t all_;
  std::size_t done_ = 0;
  bool shown_;
};

struct Drawable {
  StoredState state;
  Scene scene;
};

Drawable read_drawable(const fs::path& file) {
  StoredState state = read_state(file);
  try {
    Scene scene = parse_scene(state.scene, "scene");
    return {.state = std::move(state), .scene = std::move(scene)};
  } catch (const BadInput& error) {
    // Sealed, so not damaged: written by a version whose scenes were of another form.
    throw BadInput(fmt::format("{}: its scene is of another version: {}", file.string(), error.what()));
  }
}

/// Hands all states that can be read to `visit`, until it has seen enough; of several, damaged ones are passed over.
/// @param visit (file, drawable) → whether to go on
template <class Visit>
void for_each_state(const std::vector<fs::path>& files, Counter& counter, std::vector<std::string>& notes,
                    Visit visit) {
  std::size_t damaged = 0;
  for (const fs::path& file : files) {
    counter.next();
    std::optional<Drawable> drawable;
    try {
      drawable = read_drawable(file);
    } catch (const BadInput& error) {
      if (++damaged == files.size()) throw;
      notes.push_back(fmt::format("passed over {}", error.what()));
      continue;
    }
    if (!visit(file, *drawable)) return;
  }
}

/// One range for all pictures, so that their colours can be compared.
std::optional<ColourRange> common_range(const std::vector<fs::path>& files, const PictureArguments& a) {
  std::optional<ColourRange> range;
  std::vector<std::string> notes;  // those of the pictures say the same
  Counter counter("values of state", files.size(), a.quiet);
  for_each_state(files, counter, notes, [&](const fs::path&, const Drawable& d) {
    range = experiments::join(range, experiments::colour_range(d.state.snapshot, d.scene, a.colour));
    return experiments::has_scale(d.scene, a.colour);
  });
  return range;
}

int picture(const PictureArguments& a) {
  if (!experiments::can_write_png())
    throw BadInput("this build cannot write PNG (install libpng-dev and build again)");
  if (a.every && a.frame >= 0) throw BadInput("give --frame or --every, not both");
  if (a.every && fs::path(a.out).extension() == ".png")
    throw BadInput(fmt::format("--out {}: --every makes several pictures; give a folder", a.out));
  StatePictureOptions options = picture_options(a);
  RunFolder::require_run(a.run);
  std::vector<std::string> notes;
  const std::vector<fs::path> files = chosen_states(a, notes);
  if (!experiments::can_label())
    notes.emplace_back("no labels: this build has no cairo (install libcairo2-dev and build again)");
  if (!options.range && files.size() > 1) options.range = common_range(files, a);

  std::vector<fs::path> drawn;
  {
    Counter counter("picture", files.size(), a.quiet);
    for_each_state(files, counter, notes, [&](const fs::path& file, const Drawable& d) {
      require_meaning(a, d.scene.dim());
      const experiments::Image image = experiments::draw_state(d.state, d.scene, options);
      const fs::path target = picture_file(a, picture_name(file, d.state));
      if (target.has_parent_path()) make_folder(target.parent_path());
      replace_file(target, [&](const fs::path& temporary) { write_png(image, temporary); });
      drawn.push_back(target);
      return true;
    });
  }
  for (const std::string& note : notes) experiments::tell("repose: {}\n", note);
  if (!a.quiet) {
    if (drawn.size() > 1) experiments::print("{} pictures, the last is\n", drawn.size());
    experiments::print("{}\n", drawn.back().string());
  }
  return 0;
}

}  // namespace

void add_picture(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PictureArguments>();
  PictureArguments& a = *arguments;
  CLI::App* command = app.add_subcommand("picture", "Draw the states of a run as PNG");
  command
      ->add_option("run", a.run,
                   "Folder of a run, as `repose run --out` made it; it may have been interrupted")
      ->required()
      ->type_name("RUN");
  command->add_option("--frame", a.frame, "Draw this frame [the last state there is]")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
      ->type_name("N");
  command->add_flag("--every", a.every, "Draw every state, with one scale of colours for all");
  command
      ->add_option("--colour,--color", a.colour,
                   "What the colours tell [material, where the method has them]. material: sand in its "
                   "colours, each other material in one" +
                       experiments::colour_meanings())
      ->check(CLI::IsMember(experiments::colour_names()));
  command->add_option("--range", a.range, "Values at the ends of the scale [those of the particles drawn]")
      ->expected(2)
      ->type_name("LOW HIGH");
  command->add_option("--width", a.width, "Of the picture, in pixels")
      ->check(CLI::Range(160, 8000))
      ->capture_default_str();
  command->add_option("--height", a.height, "Of the picture with its legend, in pixels [as the scene asks]")
      ->check(CLI::Range(120, 8000));
  command->add_option("--window", a.window, "2D: the part to show, in metres [the scene's domain]")
      ->expected(4)
      ->type_name("XMIN YMIN XMAX YMAX");
  command
      ->add_option("--eye", a.eye, "3D: where the camera is, in metres [where all of the domain is in view]")
      ->expected(3)
      ->type_name("X Y Z");
  command->add_option("--target", a.target, "3D: what it looks at, in metres [the middle of the domain]")
      ->expected(3)
      ->type_name("X Y Z");
  command->add_option("--field-of-view-deg", a.field_of_view_deg, "3D: across the width, in degrees [26]")
      ->check(CLI::Range(0.1, 150.0));
  command->add_option("--out", a.out, "A file that ends in .png, or a folder [RUN/pictures]")
      ->type_name("PATH");
  command->add_flag("--quiet", a.quiet, "No progress line, and no name of what was written");
  command->footer(
      "Example:\n  repose run data/scenes/column_2d.toml --out out/column\n  repose picture out/column\n"
      "  repose picture out/column --every --colour speed\n"
      "  repose picture out/column --frame 10 --window 0.6 0.1 1.0 0.5 --out pile.png\n\n"
      "Pictures are named frame_0042.png after the frame; a checkpoint behind it frame_0042_checkpoint.png.\n"
      "ffmpeg -framerate 25 -i out/column/pictures/frame_%04d.png film.mp4 makes a film of them.");
  command->callback([arguments, &exit_code] { exit_code = picture(*arguments); });
}

}  // namespace repose::cli
