import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [withoutEval(), react(), gzipped()],
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  test: {
    // Tests in a browser look at what people get: the built page.
    globalSetup: ['src/testing/build-page.ts'],
    isolate: false,
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

const ZOD_SETTINGS = 'globalConfig = {}';

/**
 * Tells zod not to compile its schemas. It would try whether it may while the first schema is made, before any module of ours could
 * tell it, and the page's content policy forbids that.
 */
function withoutEval(): Plugin {
  return {
    name: 'signalbox:without-eval',
    transform(code, id) {
      if (!id.endsWith('/zod/v4/core/core.js')) return null;
      if (!code.includes(ZOD_SETTINGS)) this.error(`Cannot find "${ZOD_SETTINGS}" in zod`);
      return { code: code.replace(ZOD_SETTINGS, 'globalConfig = { jitless: true }'), map: null };
    },
  };
}
