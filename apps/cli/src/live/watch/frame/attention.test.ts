import { expect, test } from 'vitest';
import { createAttention } from './attention.ts';

function attended(...asking: readonly number[]) {
  const drawn: string[] = [];
  const draw = (bytes: string): number => drawn.push(bytes);
  const attention = createAttention(draw, () => draw('\x07'));
  for (const count of asking) attention.note(count, '/home/ana/shop');
  return { attention, drawn };
}

test('the terminal bell rings for the first approval, and again only after none was pending', () => {
  const rings = (...asking: readonly number[]) =>
    attended(...asking).drawn.filter((bytes) => bytes === '\x07').length;
  expect([rings(0, 1, 2, 1), rings(1, 0, 1), rings(0)]).toEqual([1, 2, 0]);
});

test('the window title counts approvals, and is restored at the end', () => {
  const { attention, drawn } = attended(0, 0, 2);
  attention.close();
  attention.close();
  attention.note(3, '/home/ana/shop');
  expect(drawn).toEqual(['\x1b[22;2t\x1b]2;shop\x07', '\x07', '\x1b]2;(2) shop\x07', '\x1b[23;2t']);
});

test('a workspace with a hostile name writes no control characters', () => {
  const drawn: string[] = [];
  createAttention(
    (bytes) => drawn.push(bytes),
    () => undefined,
  ).note(0, '/tmp/a\x07\x1b[2Jb');
  expect(drawn).toEqual(['\x1b[22;2t\x1b]2;a\\x07\\x1b[2Jb\x07']);
});
