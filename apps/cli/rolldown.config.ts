import { cpSync, existsSync } from 'node:fs';
import { defineConfig, type Plugin } from 'rolldown';

const DASHBOARD = new URL('../dashboard/dist/', import.meta.url);

/** The page goes with the program: the server looks for it beside itself. */
const withDashboard: Plugin = {
  name: 'with-dashboard',
  writeBundle() {
    if (!existsSync(new URL('index.html', DASHBOARD)))
      this.error('Cannot bundle the dashboard: build apps/dashboard first');
    cpSync(DASHBOARD, new URL('dist/dashboard/', import.meta.url), { recursive: true });
  },
};

const PAGE = new URL('static/', import.meta.resolve('@fastify/swagger-ui'));

/** So does the page of the API: a library finds its files by its own folder, which a bundle has not. */
const withApiPage: Plugin = {
  name: 'with-api-page',
  writeBundle() {
    cpSync(PAGE, new URL('dist/swagger-ui/', import.meta.url), { recursive: true, dereference: true });
  },
};

const REPORT = new URL('dist/bench-report/', import.meta.url);

/** And what the pages of `signalbox bench --report` carry with them. */
const withBenchReport: Plugin = {
  name: 'with-bench-report',
  writeBundle() {
    cpSync(new URL('src/bench/report/page/', import.meta.url), REPORT, { recursive: true });
    for (const name of ['uPlot.iife.min.js', 'uPlot.min.css'])
      cpSync(new URL(import.meta.resolve(`uplot/dist/${name}`)), new URL(name, REPORT));
  },
};

const SCRIPTS = new URL('lua/', import.meta.resolve('@signalbox/redis'));

/** And what Redis is told to do: scripts that are read when they are first needed. */
const withRedisScripts: Plugin = {
  name: 'with-redis-scripts',
  writeBundle() {
    cpSync(SCRIPTS, new URL('dist/lua/', import.meta.url), { recursive: true });
  },
};

export default defineConfig({
  plugins: [withDashboard, withApiPage, withBenchReport, withRedisScripts],
  input: { main: 'src/main.ts' },
  platform: 'node',
  // What it gives to Node looks for its own files while it runs, which a bundle has not.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { define: { 'process.env.NODE_ENV': '"production"', __dirname: 'import.meta.dirname' } },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    minify: 'dce-only',
    sourcemap: true,
    chunkFileNames: '[name]-[hash].js',
  },
});
