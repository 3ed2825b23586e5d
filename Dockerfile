FROM node:22-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
# Compiled here, so that no start has to.
RUN node src/start.mjs --help > /dev/null && mkdir -p data .cache/models && chown -R node:node data .cache
USER node
VOLUME /app/data /app/.cache/models
# The lock lies beside the folder, so the folder lies inside the volume.
ENV DATA_DIR=/app/data/postgres
CMD ["node", "src/start.mjs"]
