# A clone with all that it needs, the sandbox's program included; the commands are README.md's:
#   docker build --tag attention . && docker run --interactive --tty attention
# Grading what others wrote needs leave to make namespaces, which a container has only where it is given: `attn doctor`
# says whether it is.
FROM debian:bookworm-slim AS system
RUN apt-get update && apt-get install --yes git make python3-venv
RUN apt-get install --yes bubblewrap

FROM system
# README.md, "Without a GPU": where pip finds torch's build for CPUs, which is smaller by gigabytes.
ARG PIP_EXTRA_INDEX_URL
WORKDIR /attention
COPY . .
RUN make setup
CMD ["make", "watch"]
