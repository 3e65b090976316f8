import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that starts the built program. */
    program: string;
  }
}

/** Builds the program and its dashboard, where they are older than their sources. */
export function setup(project: TestProject): void {
  const run = (script: string): string => {
    const file = fileURLToPath(new URL(`../../../../scripts/${script}`, import.meta.url));
    return execFileSync(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
      .toString()
      .trim();
  };
  run('build-dashboard.mjs');
  project.provide('program', run('build-program.mjs'));
}
