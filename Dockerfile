# VDSim in a container: docker build --build-arg BASE=IMAGE -t vdsim . , where IMAGE is a Debian from a registry of yours.
# The command line of the container is that of vdsim-run: docker run -v "$PWD:/work" vdsim -o out handling/step_steer.yaml
# It contains the package vdsim, which names the libraries of this release of Debian.
ARG BASE=debian:stable-slim
FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential debhelper libcsv-dev libgsl-dev \
    libyaml-dev libzip-dev meson pkgconf python3
COPY . /source/vdsim
RUN cd /source/vdsim && dpkg-buildpackage -b -uc -us

FROM ${BASE}
COPY --from=build /source/vdsim_*.deb /packages/
RUN apt-get update && apt-get install -y --no-install-recommends /packages/vdsim_*.deb librsvg2-bin python3 && \
    rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["vdsim-run"]
