import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the dev server passes calls of the API on to. */
const SERVICE = process.env.KAFUE_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'baseline-widely-available',
    // The service allows no inline script, style or data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  server: {
    proxy: {
      // The service compares Origin with Host, and takes the cookie of plain http for its own port only.
      '/api': { target: SERVICE, changeOrigin: true, headers: { origin: new URL(SERVICE).origin } },
      '/docs': { target: SERVICE, changeOrigin: true },
      '/openapi.json': { target: SERVICE, changeOrigin: true },
    },
  },
});
