import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FileResult } from './read-report.ts';

/** By file; `code` is the hash of the code that was changed. */
export type Results = Readonly<Record<string, FileResult & Readonly<{ code: string }>>>;

export const RESULTS_FILE = fileURLToPath(new URL('results.json', import.meta.url));

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results;
}
