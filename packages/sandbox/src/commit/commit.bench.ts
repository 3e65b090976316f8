import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createFiles } from '../files/files.ts';
import { hashOf } from '../files/file-on-disk.ts';

const ROUNDS = 100;

/** A handwritten write that survives a power cut: no journal, no copies, no undo. */
function byHand(folder: string, { name, text }: Readonly<{ name: string; text: string }>): void {
  const file = openSync(join(folder, `${name}.tmp`), 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(join(folder, `${name}.tmp`), join(folder, name));
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

test('a journaled commit of a file takes at most 8 times write, fsync, rename and fsync of its folder', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-'));
  mkdirSync(join(workspace, 'hand'));
  const files = createFiles({ workspace, commits: join(workspace, '.signalbox/commits') });
  const by = { commandId: aCommandId(), mayChange: async () => undefined };
  const times: Record<'hand' | 'commit', number[]> = { hand: [], commit: [] };
  let before: string | null = null;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const text = `round ${round}\n`;
      let startedAt = performance.now();
      byHand(join(workspace, 'hand'), { name: 'a.txt', text });
      times.hand.push(performance.now() - startedAt);
      startedAt = performance.now();
      await files.write('a.txt', text, { expected: before === null ? 'absent' : hashOf(before), by });
      times.commit.push(performance.now() - startedAt);
      before = text;
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  const [hand, commit] = [median(times.hand), median(times.commit)];
  console.log(
    `one line: by hand p50 ${hand.toFixed(1)} ms, by a commit ${commit.toFixed(1)} ms, ${(commit / hand).toFixed(2)} times`,
  );
  expect(commit / hand).toBeLessThan(8);
}, 120_000);

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
