import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';

const DASHBOARD = new URL('../dashboard/dist/', import.meta.url);

/** Copies the dashboard: the server looks for it next to itself. */
const withDashboard: Plugin = {
  name: 'with-dashboard',
  writeBundle() {
    if (!existsSync(new URL('index.html', DASHBOARD)))
      this.error('Cannot bundle the dashboard: build apps/dashboard first');
    const pages = new URL('dist/dashboard/', import.meta.url);
    cpSync(DASHBOARD, pages, { recursive: true });
    // The program next to them is CommonJS, and declares that.
    writeFileSync(new URL('package.json', pages), '{"type":"module"}\n');
  },
};

const PAGE = new URL('static/', import.meta.resolve('@fastify/swagger-ui'));

/** Copies the API's page too: its library looks for files in its own folder, which a bundle does not have. */
const withApiPage: Plugin = {
  name: 'with-api-page',
  writeBundle({ dir = 'dist' }) {
    cpSync(PAGE, join(dir, 'swagger-ui'), { recursive: true, dereference: true });
  },
};

/** Not imported: Node.js of any age reads this file, and older ones strip no types. */
const BENCH = new URL('../bench/package.json', import.meta.url);

/** Copies the assets of `signalbox bench --report`. */
const withBenchReport: Plugin = {
  name: 'with-bench-report',
  writeBundle({ dir = 'dist' }) {
    const report = join(dir, 'bench-report');
    cpSync(new URL('src/report/page/', BENCH), report, { recursive: true });
    const { resolve } = createRequire(BENCH);
    for (const name of ['uPlot.iife.min.js', 'uPlot.min.css'])
      cpSync(resolve(`uplot/dist/${name}`), join(report, name));
  },
};

const SCRIPTS = new URL('lua/', import.meta.resolve('@signalbox/redis'));

/** Copies the Redis scripts, which are read on first use. */
export const withRedisScripts: Plugin = {
  name: 'with-redis-scripts',
  writeBundle({ dir = 'dist' }) {
    cpSync(SCRIPTS, join(dir, 'lua'), { recursive: true });
  },
};

/**
 * Emits `require` instead of `import`: a start with fifty imports takes a third longer, and an import from Node.js
 * evaluates all that the module exports, with `node:http` the whole of `fetch`.
 */
const asCommonJs: Plugin = {
  name: 'as-common-js',
  generateBundle() {
    // Otherwise Node.js parses each file twice to detect its format.
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs"}\n' });
  },
};

const CHILD_PROCESS = "import childProcess from 'node:child_process';";

/** We start no program through the command-line parser, and importing what it needs for that costs each start 3 ms. */
const parserStartsNothing: Plugin = {
  name: 'parser-starts-nothing',
  transform(code, id) {
    if (!id.endsWith('/commander/lib/command.js')) return null;
    if (!code.includes(CHILD_PROCESS)) this.error(`Cannot find "${CHILD_PROCESS}" in commander`);
    return { code: code.replace(CHILD_PROCESS, 'const childProcess = null;'), map: null };
  },
};

/** Bundled with their imports, instead of fifty files: what `--version`, every other start, and `status` need. */
const TOGETHER = [
  { name: 'version', test: /\/contract\/(?:compile-cache|version)\.ts$/, priority: 3 },
  { name: 'start', test: /\/program\/(?:start|show-help)\.ts$/, priority: 2 },
  { name: 'status', test: /\/(?:program\/run-subcommand|commands\/see\/status)\.ts$/, priority: 1 },
];

/** Options of every build; `dir`, the output folder, is relative to this one. */
export const program = {
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Its Node.js build loads its own files at run time, which a bundle does not have.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  plugins: [parserStartsNothing, withApiPage, withBenchReport, withRedisScripts, asCommonJs],
  output: {
    cleanDir: true,
    format: 'cjs',
    minify: 'dce-only',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: TOGETHER },
  },
} satisfies RolldownOptions;

/** For the package. */
export default defineConfig({
  ...program,
  plugins: [withDashboard, ...program.plugins],
  output: { ...program.output, dir: 'dist', sourcemap: true },
});
