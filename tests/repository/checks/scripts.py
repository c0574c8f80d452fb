"""Shell scripts parse, stop at the first error, and say which shell they are for."""

import subprocess
from pathlib import Path

from . import tree


def check(root: Path) -> list[str]:
    findings = []
    for path in tree.files(root):
        if path.suffix != ".sh" and path.parts[0] != ".ci":
            continue
        text = tree.read(root, path)
        result = subprocess.run(["bash", "-n", str(root / path)], capture_output=True, text=True)
        if result.returncode != 0:
            findings.append(f"{path}: {result.stderr.strip()}")
        if not text.startswith("#!/usr/bin/env bash\n"):
            findings.append(f"{path}: does not begin with #!/usr/bin/env bash")
        if "\nset -euo pipefail\n" not in text:
            findings.append(f"{path}: no line `set -euo pipefail`")
    return findings
