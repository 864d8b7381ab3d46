"""The code that only staff run: it builds problem sets, grades submissions, and keeps the gradebook."""

import sys
from types import ModuleType
from typing import cast

# jsonschema, which reads notebooks, would build 38 parsers for a kind of address that no notebook has: 2 s of CPU at each start.
sys.modules.setdefault("rfc3987_syntax", cast(ModuleType, None))
