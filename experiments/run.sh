#!/usr/bin/env bash
# Builds the program, verifies the fast solver against the readable one, reproduces the figures and writes a report. At
# the end stand a line per figure that says whether its claim holds, the report's path, and in the last line how many
# claims hold, do not hold and are undecided. From any folder, in a fresh clone or again.
#
#   bash experiments/run.sh [--preset smoke|desk|paper] [--others smoke|desk|paper] [--out DIR] [--threads N]
#
# --preset is that of klar2016/fig13_friction_angle (desk), --others that of the other starred figures (smoke).
# Exit code: that of `repose verify` if the fast solver did not pass; else 1 if a figure at the preset smoke has another
# verdict than experiments/smoke.toml keeps, which a line names; else 0 if the report is written, whatever the figures say.
# Environment: REPOSE_PRESET, REPOSE_OTHERS, REPOSE_OUT, REPOSE_THREADS (options win), REPOSE_JOBS (build),
# REPOSE_SKIP_INSTALL=1.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
started_in="$PWD"

preset="${REPOSE_PRESET:-desk}"
others_preset="${REPOSE_OTHERS:-smoke}"
out="${REPOSE_OUT:-$root/out}"
threads="${REPOSE_THREADS:-$(nproc)}"
while [[ $# -gt 0 ]]; do
  case "$1" in
    --preset | --others | --out | --threads)
      [[ $# -ge 2 ]] || { echo "$1 needs a value" >&2; exit 2; }
      case "$1" in
        --preset) preset="$2" ;;
        --others) others_preset="$2" ;;
        --out) out="$2" ;;
        --threads) threads="$2" ;;
      esac
      shift 2
      ;;
    -h | --help) sed -n -e 1d -e '/^#/!q' -e 's/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done
for name in "$preset" "$others_preset"; do
  [[ "$name" =~ ^(smoke|desk|paper)$ ]] || { echo "no preset '$name': smoke, desk or paper" >&2; exit 2; }
done
[[ "$out" == /* ]] || out="$started_in/$out"

cd "$root"
bash tests/install.sh
cmake --preset release --log-level=WARNING
cmake --build --preset release --target repose -j "${REPOSE_JOBS:-$(nproc)}"
repose="$root/build-release/repose"
mkdir -p "$out"

# A check that fails (1) or cannot be judged (3) does not stop the rest: it belongs in the report. What a paper claims and
# does not come out is a result of this script, not its failure; a fast solver that differs from the readable one is, and so
# is a verdict that has turned.
verified=0
step() {
  local code=0
  echo "== $*"
  "$repose" "$@" || code=$?
  if [[ $code -eq 2 || $code -gt 3 ]]; then
    echo "repose $1 ended with exit code $code" >&2
    exit "$code"
  fi
  if [[ $1 == verify ]]; then verified=$code; fi
}

step verify --json "$out/verify.json" --out "$out/verify"
first=klar2016/fig13_friction_angle
step reproduce "$first" --preset "$preset" --threads "$threads" --out "$out"
"$repose" list --json > "$out/list.json"
others="$(python3 - "$out/list.json" "$first" <<'PYTHON'
import json
import sys

figures = json.load(open(sys.argv[1]))["figures"]
print(*(figure["id"] for figure in figures if figure["starred"] and figure["id"] != sys.argv[2]))
PYTHON
)"
for figure in $others; do
  step reproduce "$figure" --preset "$others_preset" --threads "$threads" --out "$out"
done
# What a long run of tests/mutants.sh saw, as kept with the source: the report shows it beside the verdicts.
if [[ -f tests/mutants/outcome.json ]]; then cp tests/mutants/outcome.json "$out/mutants.json"; fi
echo "$SECONDS s"
if [[ $verified -ne 0 ]]; then echo "repose verify ended with exit code $verified, see the report"; fi
as_kept=0
python3 -B experiments/figures/kept_numbers.py "$out" || as_kept=1
"$repose" report "$out" || exit 1
if [[ $verified -ne 0 ]]; then exit "$verified"; fi
exit "$as_kept"
