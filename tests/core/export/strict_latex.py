"""LaTeX read strictly, as a suite without TeX can."""

import re

# All that our pieces may use of LaTeX, so that no name of a file can be any of it.
COMMANDS = (
    "begin end toprule midrule bottomrule centering small footnotesize caption label endhead "
    "setlength tabcolsep rlap textbackslash textasciitilde textasciicircum textless textgreater "
    "textbar textquotedbl textasciigrave star dagger rightarrow leq geq neq times cdot alpha chi "
    "kappa infty dots hat citep texttt allowbreak definecolor addplot addlegendentry draw fill node "
    "columnwidth textwidth dimexpr relax shortstack"
)


def check_latex(text: str) -> None:
    """Read LaTeX strictly: known commands, balanced braces, mathematics and environments."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    depth, in_math, at, opened = 0, False, 0, []
    while at < len(body):
        character = body[at]
        at += 1
        if character == "\\":
            command = re.compile(r"[a-zA-Z]+|.", re.DOTALL).match(body, at)
            assert command, "a backslash at the end"
            at = command.end()
            word = command[0]
            if not word.isalpha():
                assert word in "&%$#_{}\\", word
                continue
            assert word in COMMANDS.split(), word
            if word in ("begin", "end"):
                environment = re.compile(r"\{([a-z]+\*?)\}").match(body, at)
                assert environment
                if word == "begin":
                    opened.append(environment[1])
                else:
                    assert opened.pop() == environment[1]
            continue
        assert character not in '#%~"'
        if character == "`":
            assert body[at - 2 : at] == "``" or body[at - 1 : at + 1] == "``", "a lone quote"
        in_math ^= character == "$"
        assert in_math or character not in "^_"
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert (depth, in_math, opened) == (0, False, [])
