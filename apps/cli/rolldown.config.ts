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

export default defineConfig({
  plugins: [withDashboard],
  input: { main: 'src/main.ts' },
  platform: 'node',
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    minify: 'dce-only',
    sourcemap: true,
    chunkFileNames: '[name]-[hash].js',
  },
});
