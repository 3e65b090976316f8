import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCommandId } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { commit } from './commit/commit.ts';
import { bytesToWrite } from './commit/disk/hard-links.ts';
import { revertAll } from './commit/disk/revert-all.ts';
import { type WriteSetChange, readWriteSet } from './overlay/write-set.ts';
import { flatMapInTurns } from './turns.ts';

const NAMES = 1200;
/** Names read between two turns of the event loop. */
const MAX_NAMES = 256;
/** Files committed between two turns. */
const MAX_COMMITTED = 32;

function ownFolders(...names: readonly string[]): readonly string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-turns-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const folders = names.map((name) => join(folder, name));
  for (const path of folders) mkdirSync(path);
  return folders;
}

/** Counts the turns of the event loop the rest of the process gets. */
function countTurns(onTurn = (): unknown => undefined): () => number {
  let turns = 0;
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  function count(): void {
    turns += 1;
    onTurn();
    next = setImmediate(count);
  }
  return () => turns;
}

const NAMES_IN_ORDER = Array.from({ length: NAMES }, (_, index) => `made/${index}`).toSorted();

test('reading a write set yields every 256 names and keeps their order', async () => {
  const [workspace = '', upper = ''] = ownFolders('workspace', 'upper');
  mkdirSync(join(upper, 'made'));
  for (const name of NAMES_IN_ORDER) writeFileSync(join(upper, name), '');
  const turns = countTurns();
  const changes = await readWriteSet(workspace, { upper, merged: upper, since: 0n, close: () => undefined });
  // Names are listed, then examined, each in turns of its own.
  expect(turns()).toBe(2 * Math.floor(NAMES / MAX_NAMES));
  expect(changes.map(({ path }) => path)).toEqual(['made', ...NAMES_IN_ORDER]);
});

test('a commit yields regularly while names are judged, examined and committed', async () => {
  const [workspace = '', commits = ''] = ownFolders('workspace', 'commits');
  const made = NAMES_IN_ORDER.map((path): WriteSetChange => ({ op: 'make', path, mode: 0o755 }));
  const turns = countTurns();
  const seen = new Map<string, number>();
  const outcome = await commit({
    commandId: aCommandId(),
    workspace,
    commits,
    changes: [{ op: 'make', path: 'made', mode: 0o755 }, ...made],
    since: 0n,
    whyRefused: () => null,
    signal: new AbortController().signal,
    onStep: (step) => seen.set(step, turns()),
  });
  expect(outcome).toMatchObject({ kind: 'committed' });
  expect(readdirSync(join(workspace, 'made'))).toHaveLength(NAMES);
  const turnsOf = Array.from({ length: 2 * NAMES }, (_, index) => seen.get(`entry ${index}`));
  const inOneTurn = Map.groupBy(turnsOf, (turn) => turn).values();
  expect(Math.max(...[...inOneTurn].map(({ length }) => length))).toBeLessThanOrEqual(MAX_COMMITTED);
  const between = (from: string, to: string): number => (seen.get(to) ?? 0) - (seen.get(from) ?? 0);
  const pieces = Math.floor(NAMES / MAX_NAMES);
  // Reported, compared and turned into entries; committed, with their modes; then examined again.
  expect(between('staged', 'journal')).toBeGreaterThanOrEqual(3 * pieces);
  expect(between(`entry ${2 * NAMES + 1}`, 'done')).toBeGreaterThanOrEqual(2 * pieces);
});

test('an undo yields every 32 names', async () => {
  const [workspace = '', folder = ''] = ownFolders('workspace', 'commit');
  const paths = ['made', ...NAMES_IN_ORDER.slice(0, NAMES / 2)];
  for (const path of paths) mkdirSync(join(workspace, path));
  const entries = paths.map((path) => ({ op: 'make', path }) as const);
  const seen = new Set<number>();
  countTurns(() => seen.add(readdirSync(workspace, { recursive: true }).length));
  await revertAll({ entries }, { workspace, folder });
  // The turn after its last names.
  await new Promise((resolve) => setImmediate(resolve));
  const left = [paths.length, ...seen];
  expect(left.at(-1)).toBe(0);
  const gone = left.slice(1).map((now, turn) => (left[turn] ?? 0) - now);
  expect(Math.max(...gone)).toBe(MAX_COMMITTED);
});

test('flatMapInTurns() keeps the order and yields every 256 items and within a long one', async () => {
  const turns = countTurns();
  const found = await flatMapInTurns(Array.from({ length: NAMES }).keys(), async (item, turn) => {
    if (item === 0) for (let step = 0; step < NAMES; step++) await turn();
    return [item, item];
  });
  expect(turns()).toBe(Math.floor((2 * NAMES) / MAX_NAMES));
  expect(found).toEqual(Array.from({ length: 2 * NAMES }, (_, index) => Math.floor(index / 2)));
});

test('adding up sizes yields every 256 names', async () => {
  const [folder = ''] = ownFolders('folder');
  const changes = NAMES_IN_ORDER.map((name): WriteSetChange => {
    const source = join(folder, name.replace('/', '-'));
    writeFileSync(source, 'four');
    return {
      op: 'put',
      path: name,
      kind: 'file',
      source,
      mode: 0o644,
      bytes: 4,
      mtimeNs: 0n,
      existing: null,
    };
  });
  const turns = countTurns();
  expect(await bytesToWrite(changes)).toBe(4 * NAMES);
  expect(turns()).toBe(Math.floor(NAMES / MAX_NAMES));
});
