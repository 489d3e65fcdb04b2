# syntax=docker/dockerfile:1
# Two stages: packages are built with everything, and installed where nothing else is.
# deploy/drill/container.sh runs every step in a root made by debootstrap.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci
RUN npm run release

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /src/release/ /tmp/release/
RUN npm install --omit=dev --no-audit --no-fund /tmp/release/gatehouse-[0-9]*.tgz \
    && node_modules/.bin/gatehouse --version \
    && rm -rf /tmp/release /root/.npm package.json package-lock.json \
    && install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    GATEHOUSE_HOST=0.0.0.0 \
    GATEHOUSE_DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GATEHOUSE_PORT ?? 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/node_modules/gatehouse/bin/gatehouse.js"]
CMD ["start"]
