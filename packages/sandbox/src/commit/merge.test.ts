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
import { type ExistingEntry, statAt } from '../overlay/file-stat.ts';
import { commit, type CommitOutcome } from './commit.ts';
import { pruneCopies } from './prune-copies.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const folder of ['workspace', 'state/commits', 'layers'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string): string => join(root, path);
/** In nanoseconds. */
const SECOND = 1_000_000_000n;

/** A text with lines far enough apart to merge, some of them ticked. */
const board = (...ticked: readonly string[]): string =>
  ['a', 'b', 'c'].map((name) => `${name} ${ticked.includes(name) ? 'done' : 'open'}\n\n\n\n`).join('');

/** Commits the file of a command that started at `since` and saw that version. */
function put(
  commandId: string,
  text: string,
  seen: { since: bigint; wroteAt: bigint; existing: ExistingEntry | null },
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
    changes: [{ ...file, existing: seen.existing }],
    since: seen.since,
    whyRefused: () => null,
    onConflict: 'merge',
    signal: new AbortController().signal,
  });
}

/** A command starts, two others commit lines they had ticked earlier, then it commits its own tick. */
async function race(between: () => Promise<void> = async () => undefined): Promise<CommitOutcome['kind']> {
  writeFileSync(at('workspace/board'), board());
  await nextKernelTick(root, kernelTimeBy(root));
  const wroteAt = kernelTimeBy(root) - SECOND;
  const look = () => ({ since: kernelTimeBy(root), wroteAt, existing: statAt(at('workspace/board')) });
  const start = look();
  await put('cmd_a', board('a'), look());
  await put('cmd_b', board('a', 'b'), look());
  await between();
  return (await put('cmd_c', board('c'), start)).kind;
}

test('changes of three commands to one file are merged if every commit in between is kept', async () => {
  expect(await race()).toBe('committed');
  expect(readFileSync(at('workspace/board'), 'utf8')).toBe(board('a', 'b', 'c'));
});

test('a file is not merged if a commit in between was dropped, since its change would be lost', async () => {
  const outcome = await race(async () => {
    // Only one of the two fits.
    await pruneCopies(at('state/commits'), { maxAgeMs: 60_000, maxBytes: 32_768 });
    const kept = readdirSync(at('state/commits'));
    expect([kept.includes('cmd_a.1'), kept.includes('cmd_b.1')]).toEqual([false, true]);
  });
  expect(outcome).toBe('conflict');
  expect(readFileSync(at('workspace/board'), 'utf8')).toBe(board('a', 'b'));
});
