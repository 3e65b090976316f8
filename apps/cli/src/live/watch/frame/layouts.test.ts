import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import type { Size } from './frame-data.ts';
import { aFrame, anEvent, ofCommand, storyState } from '../testing/watch-story.ts';
import { watchFrame } from '../watch-frame.ts';

function shown(state: ReturnType<typeof storyState>, size: Size): string {
  return screenText(watchFrame(aFrame({ state }), size, RENDER), size.width);
}

/** Waiting lanes of providers whose names differ only at their end. */
function manyLanes(count: number) {
  return storyState(
    Array.from({ length: count }, (_, i) => {
      const of = ofCommand(`q${i}`, {
        provider: `${'abcdefghjkmnpqrstvwz'[i]}x-provider-of-long-name-${i}`,
        title: 'bash true',
      });
      return anEvent(3, { type: 'command_submitted', ...of, tool: 'bash' });
    }),
  );
}

test('below 60 cells lanes that don’t fit are counted too', () => {
  expect(shown(manyLanes(18), { width: 50, height: 16 })).toMatch(/ \d+ more of 22 lanes: /);
});

test('providers whose names differ only at their end stay distinguishable', () => {
  expect(shown(manyLanes(3), { width: 80, height: 40 })).toMatch(/ax-prov\S*…\S*-0 .*\n.*bx-prov\S*…\S*-1 /);
});

test('an ended command is no longer shown as a blocker', () => {
  const of = ofCommand('m2qd', { provider: 'anthropic', title: 'run_tests' });
  const ended = anEvent(0, { type: 'command_completed', ...of, tool: 'run_tests', exitCode: 0 });
  const text = shown(storyState([ended]), { width: 99, height: 23 });
  expect(text).toContain('k7f3 write_file src/cart.ts, for a free slot');
  expect(text).toMatch(/k7f3 openai {2}write path:src\/cart.ts {2}waiting for a free slot/);
});
