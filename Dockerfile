FROM node:22-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN mkdir -p data && chown node:node data
USER node
VOLUME /app/data
CMD ["node", "--import", "tsx", "src/main.ts"]
