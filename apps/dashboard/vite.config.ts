import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  test: {
    // Tests in a browser look at what people get: the built page.
    globalSetup: ['src/testing/build-page.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
