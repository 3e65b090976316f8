import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { kernelTimeBy, nextKernelTick } from '../kernel-time.ts';
import { type StandingEntry, standingAt } from '../overlay/standing.ts';
import { commit, type CommitOutcome } from './commit.ts';
import { letGoOfOldest } from './let-go.ts';

let room: string;
beforeEach(() => {
  room = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const folder of ['workspace', 'state/commits', 'layers'])
    mkdirSync(join(room, folder), { recursive: true });
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

const at = (path: string): string => join(room, path);
/** In nanoseconds. */
const SECOND = 1_000_000_000n;

/** Lines far enough from each other, of which these are ticked. */
const board = (...ticked: readonly string[]): string =>
  ['a', 'b', 'c'].map((name) => `${name} ${ticked.includes(name) ? 'done' : 'open'}\n\n\n\n`).join('');

/** Puts what a command left that started at `since`, when that stood there. */
function put(
  commandId: string,
  text: string,
  seen: { since: bigint; wroteAt: bigint; standing: StandingEntry | null },
) {
  const source = at(`layers/${commandId}`);
  writeFileSync(source, text);
  const bytes = Buffer.byteLength(text);
  const file = {
    op: 'put',
    path: 'board',
    kind: 'file',
    source,
    mode: 0o644,
    bytes,
    mtimeNs: seen.wroteAt,
  } as const;
  return commit({
    commandId,
    workspace: at('workspace'),
    commits: at('state/commits'),
    changes: [{ ...file, standing: seen.standing }],
    since: seen.since,
    whyRefused: () => null,
    onConflict: 'merge',
    signal: new AbortController().signal,
  });
}

/** A command starts, two others put lines that they had ticked before, and then it has ticked its own. */
async function race(between: () => Promise<void> = async () => undefined): Promise<CommitOutcome['kind']> {
  writeFileSync(at('workspace/board'), board());
  await nextKernelTick(room, kernelTimeBy(room));
  const wroteAt = kernelTimeBy(room) - SECOND;
  const look = () => ({ since: kernelTimeBy(room), wroteAt, standing: standingAt(at('workspace/board')) });
  const start = look();
  await put('cmd_a', board('a'), look());
  await put('cmd_b', board('a', 'b'), look());
  await between();
  return (await put('cmd_c', board('c'), start)).kind;
}

test('what three commands change in one file is merged, where all that led there is kept', async () => {
  expect(await race()).toBe('committed');
  expect(readFileSync(at('workspace/board'), 'utf8')).toBe(board('a', 'b', 'c'));
});

test('a file is not merged when a commit that led there was let go of: its change would be lost', async () => {
  const outcome = await race(async () => {
    // One of the two fits.
    await letGoOfOldest(at('state/commits'), { maxAgeMs: 60_000, maxBytes: 32_768 });
    const kept = readdirSync(at('state/commits'));
    expect([kept.includes('cmd_a.1'), kept.includes('cmd_b.1')]).toEqual([false, true]);
  });
  expect(outcome).toBe('conflict');
  expect(readFileSync(at('workspace/board'), 'utf8')).toBe(board('a', 'b'));
});
