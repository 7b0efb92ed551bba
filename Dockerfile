# The app for a server: `docker build -t replicability .`, then
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#       -p 127.0.0.1:8501:8501 replicability
# Nothing is compiled: every package comes as a wheel, in the versions that the tests ran with.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    # Few arenas: of many, each keeps what some thread once needed.
    MALLOC_ARENA_MAX=2 \
    # The user below has no home that can be written to; all that is written goes to /tmp.
    HOME=/tmp \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501

WORKDIR /app

COPY requirements.txt ./
COPY tests/constraints.txt tests/constraints.txt
RUN pip install --only-binary :all: -r requirements.txt -c tests/constraints.txt \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin dashboard

COPY app.py LICENSE README.md ./
COPY .streamlit .streamlit
COPY core core
COPY pages pages
COPY sample_data sample_data
# The root file system is read-only when it runs, so the modules are compiled here.
RUN python -m compileall -q app.py core pages

USER 10001

EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; p = os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/'); r.urlopen('http://127.0.0.1:' + os.environ['STREAMLIT_SERVER_PORT'] + ('/' + p if p else '') + '/_stcore/health', timeout=4)"]

CMD ["python", "-m", "streamlit", "run", "app.py"]
