#include "tests/fuzz/outcome.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"

#include <fmt/format.h>

#include <typeinfo>

namespace repose::fuzz {

namespace {

void require_one_line(std::string_view part, std::string_view message) {
  // SimulationError adds particle, step and boundary.
  constexpr std::size_t most = longest_message + 100;
  if (message.empty() || in_one_line(message, most) != message) {
    throw Finding(fmt::format("{}: the message is not one short line: {}", part, in_one_line(message, 2000)));
  }
}

}  // namespace

bool completes(std::string_view part, const std::function<void()>& run) {
  try {
    run();
    return true;
  } catch (const Finding&) {
    throw;
  } catch (const BadInput& error) {
    require_one_line(part, error.what());
  } catch (const SimulationError& error) {
    require_one_line(part, error.what());
  } catch (const std::exception& error) {
    // What StepControl throws has no type of its own; solvers refuse what does not fit their scene.
    const bool is_promised =
        (part == "step" && typeid(error) == typeid(std::runtime_error)) ||
        ((part == "load" || part == "step") && typeid(error) == typeid(std::invalid_argument));
    if (!is_promised) {
      throw Finding(fmt::format("{}: {}: {}", part, typeid(error).name(), in_one_line(error.what())));
    }
    require_one_line(part, error.what());
  }
  return false;
}

}  // namespace repose::fuzz
