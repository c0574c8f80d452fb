#!/usr/bin/env bash
# Builds everything and runs every test, from any folder, in a fresh clone or again:
#   release   all tests
#   dev       unit tests with address and undefined-behaviour sanitizers
#   tsan      a small parallel run under the thread sanitizer
# The last line counts the tests of all three. Build folders: build-release, build-dev, build-tsan.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

bash tests/install.sh
jobs="${REPOSE_JOBS:-$(nproc)}"
passed_all=0
failed_all=0
skipped_all=0

# A count among the attributes of a record's first testsuite.
attribute() { grep -o -m1 "$1=\"[0-9]*\"" "$2" | head -n 1 | tr -dc 0-9; }

# Adds a run's counts, from the record that ctest writes, to the totals.
count() {
  local record="$1" tests failures skipped
  tests="$(attribute tests "$record")"
  failures="$(attribute failures "$record")"
  skipped="$(attribute skipped "$record")"
  passed_all=$((passed_all + tests - failures - skipped))
  failed_all=$((failed_all + failures))
  skipped_all=$((skipped_all + skipped))
}

run() {
  local preset="$1" record="$root/build-$1/ctest.xml"
  echo "== $preset"
  cmake --preset "$preset" --log-level=WARNING
  cmake --build --preset "$preset" -j "$jobs"
  rm -f "$record"
  # ctest's own verdict is in the record; a run that leaves none has failed as a whole.
  ctest --preset "$preset" -j "$jobs" --output-junit "$record" || true
  if [[ -s "$record" ]]; then count "$record"; else failed_all=$((failed_all + 1)); fi
}

run release
run dev
run tsan

echo "$SECONDS s"
skips=""
if [[ $skipped_all -gt 0 ]]; then skips=", $skipped_all skipped"; fi
echo "$passed_all passed, $failed_all failed$skips"
[[ $failed_all -eq 0 && $passed_all -gt 0 ]]
