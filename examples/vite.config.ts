/** Serves an example with the gateway at GATEWAY_URL behind `/graphql`, so that page and data have one origin. */
import { defineConfig } from 'vite';

const target = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000';
const gateway = { target, ws: true };

export default defineConfig({
  base: './',
  logLevel: 'warn',
  build: {
    target: 'es2022',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  preview: { host: '127.0.0.1', port: 4100, proxy: { '/graphql': gateway } },
});
