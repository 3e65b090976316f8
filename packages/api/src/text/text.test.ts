import { expect, test } from 'vitest';
import { byteText } from './byte-text.ts';
import { clockTime, duration } from './duration-text.ts';
import { proposedMessage } from './proposed-message.ts';
import { outcomeWord, sessionEnding } from './status-words.ts';

test('bytes are shown in the largest unit with a value of at least one', () => {
  const sizes = [0, 1023, 1024, 9.9 * 1024, 41 * 1024, 1.2 * 1024 ** 3, 1024 ** 5];
  expect(sizes.map(byteText)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '9.9 KiB',
    '41 KiB',
    '1.2 GiB',
    '1024 TiB',
  ]);
});

test('the proposed commit message counts its own files, and a task is unchanged', () => {
  const providers = [{ files: [{ path: 'a' }, { path: 'b' }] }, { files: [{ path: 'b' }, { path: 'c' }] }];
  const proposed = (message: string, ...paths: string[]): string =>
    proposedMessage({ message, providers }, paths);
  expect(proposed('Change 3 files', 'a', 'b', 'c')).toBe('Change 3 files');
  expect(proposed('Change 3 files', 'a', 'b')).toBe('Change 2 files');
  expect(proposed('Change 3 files', 'b')).toBe('Change b');
  expect(proposed('Repair the cart', 'b')).toBe('Repair the cart');
});

test('a running clock counts seconds, and a finished duration is rounded', () => {
  expect([-1, 4200, 108_000, 7_424_000].map(clockTime)).toEqual(['0:00', '0:04', '1:48', '2:03:44']);
  expect([12, 1800, 41_000, 720_000, 7_100_000, 9_000_000].map(duration)).toEqual([
    '12 ms',
    '1.8 s',
    '41 s',
    '12 min',
    '118 min',
    '2.5 h',
  ]);
});

test("a session's ending is a plain word, never the name of a setting (U-B10)", () => {
  const finishes = ['finished', 'max_iterations', 'cancelled', 'failed', 'refused', 'budget', 'lost', null];
  expect(finishes.map(sessionEnding)).toEqual([
    'Finished',
    'Out of turns',
    'Stopped',
    'Failed',
    'Declined',
    'Over budget',
    'Lost',
    'Ended',
  ]);
});

test('a stale write is distinct from a commit conflict', () => {
  expect(outcomeWord('conflict', 'stale-write')).toBe('Stale write');
  expect(outcomeWord('conflict', 'commit-conflict')).toBe('Conflict');
  expect(outcomeWord('timed_out', 'timeout')).toBe('Timed out');
});
