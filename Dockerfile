FROM node:22-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN mkdir -p data && chown node:node data
USER node
VOLUME /app/data
# The lock lies beside the folder, so the folder lies inside the volume.
ENV DATA_DIR=/app/data/postgres
CMD ["node", "--import", "tsx", "src/main.ts"]
