import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the page as the server serves it, once before all tests. */
export async function setup(): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({ root: fileURLToPath(new URL('../..', import.meta.url)), logLevel: 'warn' });
  process.env['NODE_ENV'] = before;
}
