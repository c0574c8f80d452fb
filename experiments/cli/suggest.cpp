#include "experiments/cli/suggest.h"

#include "reference/interface/base/edit_distance.h"

#include <algorithm>

namespace repose::cli {

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 2) + 1;  // more wrong is another word
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace repose::cli
