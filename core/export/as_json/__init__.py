"""An analysis as JSON: the same for the page, the command line and the library."""

from core.export.as_json.document import FORMAT, KIND, as_json, settings_as_json, to_json

__all__ = ["FORMAT", "KIND", "as_json", "settings_as_json", "to_json"]
