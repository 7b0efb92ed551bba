#!/bin/sh
# One command for the app, its tests and its checks. Everything is installed into .venv beside
# this file, on the first call and again whenever a list of requirements has changed.
set -eu

usage() {
    cat <<'END'
usage: ./run.sh [command]

  app            start the app on http://127.0.0.1:8501 (the default; PORT=9000 ./run.sh: another port)
  test [args]    run all tests, on all cores; with args those are handed to pytest instead, e.g.
                 ./run.sh test tests/core -k mcnemar
  lint           ruff check, ruff format --check, mypy
  bench [parts]  run the benchmarks, all or the parts named; --with-peers before them: in a venv of
                 their own, .venv-bench, that also holds tests/benchmarks/requirements.txt
  calibrate      how often each test rejects at each level where there is nothing to find, and how
                 often it finds an effect: a table, in some minutes; args are names of tests,
                 "defaults": how often the default tests of averaged scores reject where means are
                 equal and differences skewed, "claims": how often a check of claims doubts honest
                 tables and finds planted errors, "runs": how often the test of all runs of two
                 systems together rejects, "effects": how often the intervals of random effects hold
                 the truth, "correlations": the tests of two correlations of few pairs and near 1,
                 "joint": how often counts of datasets that share examples claim too much, or
                 "margins": the largest level of 0/1 outcomes at exactly a margin, enumerated
  mutants FILE   which small changes of a module of core no test notices; after FILE the tests to
                 run, else those of its name: ./run.sh mutants core/significance/outcome.py
  docs [folder]  the reference of all public names, from their docstrings, as one page:
                 reference/replicability.html
  space FOLDER   the folder of a Hugging Face Space that runs the Dockerfile
  load [parts]   what a server promises, measured and judged: users (twenty at once, twice; some
                 minutes), proxy (behind nginx below a base path), image (the container's settings,
                 rehearsed without a container engine); all of them where none is named
  help           this text

The browser tests use the Chromium on PATH, or the one CHROMIUM names. Where there is none they are
skipped, and the summary says how to add it.
END
}

fail() {
    printf 'run.sh: %s\n' "$1" >&2
    exit 1
}

CDPATH='' cd -- "$(dirname -- "$0")"
venv=.venv
venv_python=$venv/bin/python
# What the venv holds, written last: a venv without it was never finished, and is made anew.
stamp=$venv/.stamp

# Sets `python` to an interpreter that can make a venv, or says what is missing.
find_python() {
    lacks_venv=''
    too_old=''
    for python in python3.13 python3.12 python3.11 python3; do
        # Run rather than looked up: a version manager's shim is on PATH and still may not run.
        answer=$("$python" -c '
import sys
version = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 11):
    print("old", version)
else:
    try:
        import ensurepip, venv
        print("good", version)
    except ImportError:
        print("bare", version)
' 2>/dev/null) || continue
        case $answer in
            good*) return ;;
            bare*) lacks_venv=${lacks_venv:-${answer#bare }} ;;
            old*) too_old="only ${answer#old }" ;;
        esac
    done
    if [ -n "$lacks_venv" ]; then
        fail "Python $lacks_venv has no venv module; add it with: apt-get install python$lacks_venv-venv"
    fi
    fail "Python 3.11 or newer is needed, and ${too_old:-none} was found"
}

# Prints the lines a finished venv's stamp has: its Python, then one hash for each set of files.
describe_venv() {
    "$venv_python" -ISc '
import hashlib, sys
version = "%d.%d" % sys.version_info[:2]
print("python", version)
for name, *files in (
    ("app", "requirements.txt", "tests/constraints.txt"),
    ("test", "requirements.txt", "tests/constraints.txt", "tests/requirements.txt"),
    ("bench", "requirements.txt", "tests/constraints.txt", "tests/requirements.txt",
     "tests/benchmarks/requirements.txt"),
):
    digest = hashlib.sha256(version.encode())
    for file in files:
        with open(file, "rb") as source:
            digest.update(source.read())
    print(name, digest.hexdigest())
' 2>/dev/null
}

# is_ready app|test|bench|python: whether the stamp has that line of the description.
is_ready() {
    [ -f "$stamp" ] && description=$(describe_venv) || return 1
    line=$(printf '%s\n' "$description" | grep "^$1 ")
    grep -qxF "$line" "$stamp"
}

# set_up app|test|bench: a venv that holds what the app needs, or its tests too, or the peers of its
# benchmarks as well.
set_up() {
    if is_ready "$1"; then
        return
    fi
    # One set-up at a time: a second one would delete the first one's venv. Held through an open
    # file, so that it ends with the process, however that ends.
    if command -v flock >/dev/null 2>&1; then
        exec 9<run.sh
        flock -n 9 || { echo "Waiting for another set-up to end." >&2 && flock 9; }
        if is_ready "$1"; then
            exec 9<&-
            return
        fi
    fi
    if ! is_ready python; then
        find_python
        echo "Setting up $venv with Python ${answer#good }; this takes about half a minute, once." >&2
        rm -rf "$venv"
        "$python" -m venv "$venv" || fail "could not make $venv"
    else
        echo "Updating $venv." >&2
        mv "$stamp" "$stamp.old"
    fi

    set -- "$1" -r requirements.txt
    if [ "$1" != app ]; then
        set -- "$@" -r tests/requirements.txt
    fi
    if [ "$1" = bench ]; then
        set -- "$@" -r tests/benchmarks/requirements.txt
    fi
    # The tested versions have wheels up to Python 3.14; on a newer one the ranges must do.
    if "$venv_python" -ISc 'import sys; sys.exit(sys.version_info >= (3, 15))'; then
        set -- "$@" -c tests/constraints.txt
    fi
    wanted=$1
    shift
    if ! "$venv_python" -m pip install --quiet --disable-pip-version-check "$@"; then
        # pip undoes what it could not finish, so an app that could be started still can be.
        if [ -f "$stamp.old" ]; then
            mv "$stamp.old" "$stamp"
        fi
        fail "the packages could not be installed (see above); this step needs the network"
    fi

    description=$(describe_venv)
    case $wanted in
        app) description=$(printf '%s\n' "$description" | grep -v -e '^test ' -e '^bench ') ;;
        test) description=$(printf '%s\n' "$description" | grep -v '^bench ') ;;
    esac
    printf '%s\n' "$description" >"$stamp.part"
    mv "$stamp.part" "$stamp"
    exec 9<&-
}

command=${1:-app}
if [ $# -gt 0 ]; then
    shift
fi
case $command in
    app)
        PORT=${PORT:-8501}
        case $PORT in
            *[!0-9]* | ??????*) fail "PORT must be a number up to 65535, not '$PORT'" ;;
        esac
        set_up app
        # The host names keep a web page elsewhere from reaching the app under a name of its own
        # that it points here.
        exec "$venv_python" -m streamlit run app.py \
            --server.address 127.0.0.1 --server.port "$PORT" \
            --server.allowedHosts 127.0.0.1 --server.allowedHosts localhost "$@"
        ;;
    test)
        set_up test
        # What one process has compiled serves all the others.
        unset PYTHONDONTWRITEBYTECODE
        # All tests are spread over the cores, file by file; a few are quicker without that.
        if [ $# -eq 0 ]; then
            # In the order of the folders: the browser's files, which take longest, come first.
            set -- -n auto --dist loadfile --no-loadscope-reorder
        fi
        exec "$venv_python" -m pytest "$@"
        ;;
    lint)
        set_up test
        status=0
        "$venv_python" -m ruff check || status=1
        "$venv_python" -m ruff format --check || status=1
        "$venv_python" -m mypy || status=1
        exit $status
        ;;
    bench)
        # ranx brings some thirty packages, which no test may come to lean on.
        if [ "${1:-}" = --with-peers ]; then
            shift
            venv=.venv-bench
            venv_python=$venv/bin/python
            stamp=$venv/.stamp
            set_up bench
        else
            set_up test
        fi
        exec "$venv_python" -m tests.benchmarks "$@"
        ;;
    calibrate)
        set_up test
        exec "$venv_python" -m tests.calibration "$@"
        ;;
    mutants)
        set_up test
        exec "$venv_python" -m tests.mutants "$@"
        ;;
    docs)
        set_up test
        exec "$venv_python" -m tests.reference "$@"
        ;;
    space)
        set_up test
        exec "$venv_python" -m tests.load.space "$@"
        ;;
    load)
        set_up test
        exec "$venv_python" -m tests.load "$@"
        ;;
    help | -h | --help)
        usage
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
