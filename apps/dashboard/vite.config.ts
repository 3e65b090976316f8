import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The server whose page this is while it is developed; by default where `signalbox serve` listens. */
const SERVER = process.env['SIGNALBOX_DEV_SERVER'] ?? 'http://127.0.0.1:4180';

export default defineConfig({
  plugins: [withoutEval(), react(), gzipped()],
  // `Host` stays as the browser sent it: the server compares it with `Origin`, and names its cookie by the port.
  server: { proxy: { '/api': { target: SERVER, changeOrigin: false } } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One style sheet: pages loaded later look right without the server, and no rule depends on which page came first.
    cssCodeSplit: false,
    // One script for the first page: many small files compress worse, and each is a request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    // In kB before compression; tests hold the limit of what is sent.
    chunkSizeWarningLimit: 700,
  },
  test: {
    // Tests in a browser run against the built page, as users get it.
    globalSetup: ['src/testing/build-page.ts'],
    isolate: false,
    // Waits are generous: a busy machine has taken 24 s for what takes 3.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

/** Writes `x.js.gz` next to `x.js`: the server sends it to clients that accept it, and compresses nothing itself. */
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
 * Tells zod not to compile its schemas. It would try whether it may when the first schema is created, before any module
 * of ours could tell it not to, and the page's content policy forbids that.
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
