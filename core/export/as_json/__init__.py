"""An analysis as JSON: the same for the page, the command line and the library."""

from core.export.as_json.document import FORMAT, KIND, as_json, settings_as_json, to_json
from core.export.as_json.values import TOLERANCE, same_number

__all__ = [
    "FORMAT",
    "KIND",
    "TOLERANCE",
    "as_json",
    "same_number",
    "settings_as_json",
    "to_json",
]
