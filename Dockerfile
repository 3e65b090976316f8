# Signalbox for a coordinator or a worker. One image serves both; `docker-compose.yml` starts them.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /src
COPY . .
# The bundle holds all it needs of node_modules. Maps are for who builds it.
RUN CI=true node scripts/run.mjs exec turbo run build --filter=signalbox \
 && find apps/cli/dist -name '*.map' -delete

FROM ${NODE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git ripgrep \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY --from=build /src/apps/cli/dist /opt/signalbox
RUN printf '#!/bin/sh\nexec node /opt/signalbox/main.js "$@"\n' > /usr/local/bin/signalbox \
 && chmod 755 /usr/local/bin/signalbox \
 && install --directory --owner=1000 --group=1000 /workspace
# Whoever runs it owns the workspace: `--user` for another one than 1000.
USER 1000:1000
ENV HOME=/tmp
WORKDIR /workspace
ENTRYPOINT ["signalbox"]
CMD ["doctor"]
