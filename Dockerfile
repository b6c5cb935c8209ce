# A Debian with the package of `make dist` inside:
#
#     make dist
#     docker build --tag granary .
#     docker run --rm --volume "$PWD:/data" granary seed seed.yaml
#
# Nobody has built this image yet: the machine on which it was written has no Docker. `make test-dist` runs the binary in
# a root with the same packages, and `make lint` checks that every command exists.
FROM debian:bookworm-slim
# Only the package of this machine's architecture fits; dist/ may have both.
COPY dist/granary_*.deb /packages/
RUN apt-get update \
    && apt-get install -y --no-install-recommends "/packages/$(cd /packages && ls granary_*_"$(dpkg --print-architecture)".deb)" \
    && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["granary"]
CMD ["--help"]
