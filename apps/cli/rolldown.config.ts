import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Ink asks for it only where DEV is set.
  external: ['react-devtools-core'],
  transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    minify: 'dce-only',
    sourcemap: true,
    chunkFileNames: '[name]-[hash].js',
  },
});
