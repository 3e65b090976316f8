import { expect, test } from 'vitest';
import { countStreams } from './event-routes.ts';

test('a token has at most 200 open streams, whatever others have, and a new one after one ends', () => {
  const streams = countStreams();
  const opened = Array.from({ length: 200 }, () => streams.open('tok_a'));
  expect(opened).not.toContain(null);
  expect(streams.open('tok_a')).toBeNull();
  expect(streams.open('tok_b')).not.toBeNull();
  opened[0]?.();
  expect(streams.open('tok_a')).not.toBeNull();
  expect(streams.open('tok_a')).toBeNull();
});
