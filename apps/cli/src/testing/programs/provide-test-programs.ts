import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const FOLDER = join(import.meta.dirname, '../../../node_modules', `.test-programs-${process.pid}`);

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where `testProgram()` builds the programs of this run. Does not exist before. */
    testPrograms: string;
  }
}

/** Names the folder of this run's test programs, and removes it at the end. */
export function setup(project: TestProject): () => void {
  project.provide('testPrograms', FOLDER);
  return () => rmSync(FOLDER, { recursive: true, force: true });
}
