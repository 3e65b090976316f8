import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expectModelKept } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import type * as real from './scheduler.ts';
import { schedulerHarness } from './testing/scheduler-harness.ts';

/** Plausible implementation mistakes: the file, a line of it, and its wrong version. */
const MUTATIONS = {
  'a list ignores that its first waiting entry has left': [
    'scoreboard.ts',
    'if (list.firstBlocked === entry) list.firstBlocked = after;',
    '',
  ],
  'a watermark rises past the entry that holds it': [
    'scoreboard.ts',
    'ticket.arrival <= limit',
    'ticket.arrival <= limit + 1',
  ],
  'only the first conflicting mode is checked': [
    'scoreboard.ts',
    'earliest = Math.min(earliest, node',
    'return Math.min(earliest, node',
  ],
  'one command too many runs': ['scheduler.ts', 'leases.size() < limits', 'leases.size() <= limits'],
  'one command too many waits': ['scheduler.ts', 'count >= limits', 'count > limits'],
  'priority is ignored': ['scheduler.ts', 'if (one.priority !== other.priority)', 'if (false)'],
  'the leases of a provider do not count': ['scheduler.ts', 'mine.held - theirs.held ||', ''],
  'a provider keeps its turn after a grant': ['shares.ts', 'share.turn = grants;', ''],
  'a release does not update the share': ['shares.ts', 'share.held -= 1;', ''],
} as const;

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

test.each(Object.entries(MUTATIONS))('the model catches the mistake: %s', async (_, [file, from, to]) => {
  const { createScheduler } = await mutant(file, { from, to });
  const result = expectModelKept(schedulerHarness(createScheduler), { numRuns: 2000, seed: 5 });
  await expect(result).rejects.toThrow('Property failed');
});

/** Imports a copy of the package's files with one text replaced, beside the originals so that imports resolve. */
async function mutant(
  changed: string,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<typeof real> {
  const source = new URL('./', import.meta.url);
  const folder = await mkdtemp(`${packageFolder}node_modules/.mutant-`);
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await readFile(new URL(changed, source), 'utf8')).toContain(from);
  const files = (await readdir(source)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  for (const name of files) {
    const text = await readFile(new URL(name, source), 'utf8');
    const mutated = name === changed ? text.replace(from, to) : text;
    const script = stripTypeScriptTypes(mutated).replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.mjs'");
    await writeFile(`${folder}/${name.replace('.ts', '.mjs')}`, script);
  }
  return (await import(/* @vite-ignore */ pathToFileURL(`${folder}/scheduler.mjs`).href)) as typeof real;
}
