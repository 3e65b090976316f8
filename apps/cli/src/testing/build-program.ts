import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const BUILD = fileURLToPath(new URL('../../../../scripts/build-program.mjs', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that starts the built program. */
    program: string;
  }
}

/** Builds the program once before all tests, if it is older than its sources. */
export function setup(project: TestProject): void {
  const entry = execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'pipe', 'inherit'] });
  project.provide('program', entry.toString().trim());
}
