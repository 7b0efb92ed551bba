"""An analysis as JSON: the same for the page, the command line and the library."""

from .document import FORMAT, KIND, as_json, settings_as_json, to_json
from .values import TOLERANCE, same_number

__all__ = [
    "FORMAT",
    "KIND",
    "TOLERANCE",
    "as_json",
    "same_number",
    "settings_as_json",
    "to_json",
]
