# VDSim in a container: docker build --build-arg BASE=IMAGE -t vdsim . , where IMAGE is a Debian from a registry of yours.
# The command line of the container is that of vdsim-run: docker run -v "$PWD:/work" vdsim -o out handling/step_steer.yaml
ARG BASE=debian:stable-slim
FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev libcsv-dev libgsl-dev libyaml-dev \
    libzip-dev meson pkgconf python3
COPY . /source
RUN meson setup /build /source --prefix=/usr -Dtests=false && ninja -C /build && DESTDIR=/root-of-vdsim meson install -C /build --no-rebuild

FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends gnuplot-nox libcsv3 libgsl27 librsvg2-bin libyaml-0-2 \
    libzip4 python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /root-of-vdsim/ /
WORKDIR /work
ENTRYPOINT ["vdsim-run"]
