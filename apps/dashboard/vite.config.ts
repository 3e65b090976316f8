import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react(), tailwindcss(), gzipped()],
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  test: {
    // Tests in a browser look at what people get: the built page.
    globalSetup: ['src/testing/build-page.ts'],
    // What is waited for comes when it comes: a busy machine has taken 24 s for what takes 3.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

/** Puts `x.js.gz` beside `x.js`: the server sends that to who takes it, and packs nothing itself. */
function gzipped(): Plugin {
  return {
    name: 'signalbox:gzipped',
    writeBundle({ dir = 'dist' }) {
      for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css)$/.test(file)) continue;
        const path = join(dir, file);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}
