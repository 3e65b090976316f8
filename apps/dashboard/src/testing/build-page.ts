import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../../../scripts/build-dashboard.mjs', import.meta.url));

/** Builds the page as the server serves it, once before all tests, where it is older than its sources. */
export function setup(): void {
  execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'inherit', 'inherit'] });
}
