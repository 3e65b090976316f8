import { expect, test } from 'vitest';
import { countStreams } from './count-streams.ts';

test('a token has 200 streams open at most, whatever others have, and another one when one has ended', () => {
  const streams = countStreams();
  const opened = Array.from({ length: 200 }, () => streams.open('tok_a'));
  expect(opened).not.toContain(null);
  expect(streams.open('tok_a')).toBeNull();
  expect(streams.open('tok_b')).not.toBeNull();
  opened[0]?.();
  expect(streams.open('tok_a')).not.toBeNull();
  expect(streams.open('tok_a')).toBeNull();
});
