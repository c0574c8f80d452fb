#!/usr/bin/env bash
# Plants mistakes into a copy of the sources and says which check notices each: a measure of what `repose verify` and
# the tests see. Long (see --help): no part of run.sh.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/mutants/run.py" "$@"
