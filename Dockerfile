# An image that grades. docs/container.md says how to build it, how to run it, and why with these options:
#   docker build -t mcts .
#   docker run --rm --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined mcts
FROM debian:bookworm-slim
ENV LANG=C.UTF-8 UV_NO_CACHE=1 PIP_NO_CACHE_DIR=1
RUN apt-get update -q \
 && apt-get install -y -q --no-install-recommends bubblewrap ca-certificates libseccomp2 make python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /mcts
COPY . .
RUN make setup
CMD ["make", "grade"]
