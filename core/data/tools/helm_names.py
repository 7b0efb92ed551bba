"""What the name of a run of HELM says: the scenario with its arguments, and the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

# Arguments that say how a model is asked, not what it is asked.
_OF_THE_MODEL = frozenset(
    {
        "stop",
        "model_deployment",
        "tokenizer",
        "global_prefix",
        "global_suffix",
        "newline",
        "format_prompt",
        "add_to_stop",
        "process_output",
        "chatml",
        "output_format_instructions",
        "increase_max_tokens",
        "increase_temperature",
        "num_output_tokens",
        "temperature",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunName:
    """The parts of a run's name.

    Attributes
    ----------
    dataset : str
        The scenario with the arguments that are its own.
    model : str
        '' where the name has none.
    settings : str
        How the model was asked, '' where nothing is said.
    """

    dataset: str
    model: str
    settings: str = ""


def read_run_name(name: str) -> RunName:
    """Take a name such as "mmlu:subject=anatomy,model=openai_gpt2,stop=none" apart."""
    name = unquote(name)
    scenario, colon, rest = name.partition(":")
    if not colon and ",model=" in name:
        scenario, _, rest = name.partition(",")
    arguments: list[str] = []
    for part in rest.split(","):
        # A comma inside a value is no separator.
        if arguments and "=" not in part:
            arguments[-1] += f",{part}"
        elif part:
            arguments.append(part)
    own, settings, model = [], [], ""
    for argument in arguments:
        key, _, value = argument.partition("=")
        if key == "model":
            model = value
        elif key in _OF_THE_MODEL:
            settings.append(argument)
        else:
            own.append(argument)
    return RunName(
        dataset=":".join(part for part in (scenario, ",".join(own)) if part),
        model=model,
        settings=",".join(settings),
    )


def systems_of(names: Sequence[RunName]) -> list[str]:
    """What each run's system is called: its model, with settings where one has several runs."""
    places = [(name.dataset, name.model) for name in names]
    return [
        f"{name.model} ({name.settings})"
        if name.model and name.settings and places.count((name.dataset, name.model)) > 1
        else name.model
        for name in names
    ]
