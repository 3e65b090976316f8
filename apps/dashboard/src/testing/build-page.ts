import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const SCRIPTS = new URL('../../../../scripts/', import.meta.url);

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that starts the built program. */
    program: string;
  }
}

/** Builds the page as served, and the program that serves it, if they are older than their sources. */
export function setup(project: TestProject): void {
  run('build-dashboard.mjs');
  project.provide('program', run('build-program.mjs'));
}

/** Its output. */
function run(script: string): string {
  const file = fileURLToPath(new URL(script, SCRIPTS));
  return execFileSync(process.execPath, [file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}
