// The only test file of `npm run mutation`: runs the tests of a file once for each change that is built into its code.
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test, type TestContext } from 'vitest';
import { type ChangesToTry, INPUT_FILE, OUTPUT_FILE, type TriedChanges } from './tried-changes.ts';

type Hits = Record<string, number>;

/** What Stryker's switches in the code read and write; it is called this in every version. */
type Switches = {
  activeMutant: string | undefined;
  /** The code throws when a change was reached more often than `hitLimit`: an endless loop. */
  hitCount: number | undefined;
  hitLimit: number;
  currentTestId: string | undefined;
  mutantCoverage?: Readonly<{ static: Hits; perTest: Record<string, Hits> }>;
};

const ROOT = process.cwd();
const { tests, runsOnImport, ids } = JSON.parse(readFileSync(join(ROOT, INPUT_FILE), 'utf8')) as ChangesToTry;
const switches = Object.assign(globalThis, { __stryker__: {} as Switches }).__stryker__;
/** A loop that runs this many times as often as without a change has no end. */
const HIT_FACTOR = 100;

/** First and last: the tests must pass without a change, and still after all others. */
const [FIRST, LAST] = ['unchanged', 'unchanged again'];
/** How a test noticed, by change. */
const noticed = new Map<string, 'Killed' | 'Timeout' | 'RuntimeError'>();
let problem: string | null = null;
/** What the tests reach without a change. */
let reached: NonNullable<Switches['mutantCoverage']> = { static: {}, perTest: {} };

// Each group loads its test files, and the code that runs on import, once more.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const group = new URL(context.parentURL ?? 'file:///').searchParams.get('change');
    const isOwn = found.url.startsWith(pathToFileURL(ROOT).href) && !found.url.includes('/node_modules/');
    return group === null || !runsOnImport || !isOwn ? found : { ...found, url: inGroup(found.url, group) };
  },
});

for (const id of [FIRST, ...ids, LAST]) {
  // oxlint-disable-next-line vitest/valid-title -- a group of tests is named by its change
  describe(id, async () => {
    const change = ids.includes(id) ? id : undefined;
    beforeAll(() => {
      switches.activeMutant = change;
      switches.hitCount = change === undefined ? undefined : 0;
      switches.hitLimit = HIT_FACTOR * (change === undefined ? 1 : hitsOf(change));
    });
    beforeEach((context) => {
      if (id === FIRST) switches.currentTestId = nameOf(context.task);
      if (change !== undefined && !isNeeded(change, context)) context.skip();
      context.onTestFailed(({ task }) => {
        if (change === undefined) problem ??= `"${task.name}" fails (${id})`;
        else noticed.set(change, isTimeout(task.result?.errors) ? 'Timeout' : 'Killed');
      });
    });
    afterEach(() => (switches.currentTestId = undefined));
    afterAll(() => {
      if (id === FIRST) reached = structuredClone(switches.mutantCoverage ?? reached);
      switches.activeMutant = undefined;
      switches.hitCount = undefined;
    });
    switches.activeMutant = runsOnImport ? change : undefined;
    try {
      for (const file of tests) await import(inGroup(pathToFileURL(join(ROOT, file)).href, id));
    } catch (error) {
      if (change === undefined) throw error;
      noticed.set(change, 'RuntimeError');
      // oxlint-disable-next-line vitest/expect-expect -- a group without a test would be an error
      test('is noticed on import', () => undefined);
    }
    switches.activeMutant = undefined;
  });
}

// oxlint-disable-next-line vitest/expect-expect -- the last test, when all others have run
test('writes what came of it', () => {
  const status = Object.fromEntries(ids.map((id) => [id, noticed.get(id) ?? unnoticed(id)]));
  writeFileSync(join(ROOT, OUTPUT_FILE), JSON.stringify({ problem, status } satisfies TriedChanges));
});

function inGroup(url: string, group: string): string {
  return `${url}?${new URLSearchParams({ change: group }).toString()}`;
}

/** Whether this test reaches the change, and none has noticed it yet. */
function isNeeded(change: string, { task }: TestContext): boolean {
  if (problem !== null || noticed.has(change)) return false;
  if (runsOnImport && isOnImport(change)) return true;
  return (reached.perTest[nameOf(task)]?.[change] ?? 0) > 0;
}

function isOnImport(change: string): boolean {
  return reached.static[change] !== undefined;
}

function hitsOf(change: string): number {
  const perTest = Object.values(reached.perTest);
  return perTest.reduce((sum, hits) => sum + (hits[change] ?? 0), 1);
}

/** `Ignored`: it is reached on import alone, which has happened by then. */
function unnoticed(change: string): string {
  if (hitsOf(change) > 1) return 'Survived';
  if (!isOnImport(change)) return 'NoCoverage';
  return runsOnImport ? 'Survived' : 'Ignored';
}

/** The same in each group. */
function nameOf({ fullTestName, suite }: TestContext['task']): string {
  let outer = suite;
  while (outer?.suite !== undefined) outer = outer.suite;
  return fullTestName.slice(outer?.name.length ?? 0);
}

function isTimeout(errors: readonly Readonly<{ message: string }>[] = []): boolean {
  return errors.some(({ message }) => /timed out in \d+ms/.test(message));
}
