import { aCommandId, aProviderId } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineCells } from '../../terminal/cells.ts';
import { renderLine } from '../../terminal/render.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { aFrame, anEvent, ofCommand, storyQuestion, storyState } from './testing/watch-story.ts';
import type { Size } from './frame/frame-data.ts';
import { watchFrame } from './watch-frame.ts';
import { watchAfter } from './frame/watch-state.ts';
import { covered, newWatchUi } from './frame/watch-ui.ts';

const SMALL: Size = { width: 80, height: 23 };
const MIDDLE: Size = { width: 120, height: 39 };
const LARGE: Size = { width: 200, height: 49 };

function shown(data = aFrame(), size = SMALL): string {
  return screenText(watchFrame(data, size, RENDER), size.width);
}

test('80x24 shows lanes, waiting commands, the approval, output and events (S003-02, S003-53)', () => {
  expect(shown()).toMatchInlineSnapshot(`
    " signalbox  NORMAL  shop  4 lanes  1 of 3 running  1 waiting        ! 1 approval
        LANE        STATE  NOW                                    TIME  TURN    COST
     !  deepseek    asks   p9ze bash npm install zod@4          0:01.5    10   $0.01
    ▸⚡ anthropic   runs   m2qd run_tests                       0:04.2    12   $0.21
     ⏳ openai      waits  k7f3 write_file src/cart.ts          0:03.1    11   $0.11
     ✓  you         idle   y1xx read_file a.ts                                     –
    ── Waiting 1 ───────────────────────────────────────────────── longest 0:03.1 ──
      k7f3 openai  write path:src/cart.ts  behind m2qd anthropic              0:03.1
    ── Approval ─────────────────────────────────────────────────────── 4:19 left ──
     ! p9ze deepseek wants to run a shell line                              warning
        npm install zod@4
        installs a package
        a approve  d deny  m modify  v view  r remember  N later  + 5 min
    ── Output m2qd anthropic run_tests ──────────────────────────────── following ──
       ✓ test/money.test.ts (3 tests) 12 ms
       ❯ test/cart.test.ts (3 tests) 1 failed


      12:04:25  you         ✓  y1xx completed read_file a.ts
      12:04:28  anthropic   ⚡ m2qd started run_tests   lease granted, fencing toke…
      12:04:29  openai      ⏳ k7f3 queued write_file src/cart.ts   behind m2qd
      12:04:31  deepseek    !  p9ze needs approval bash npm install zod@4   install…
     ↑↓ lane  ↵ open  c cancel  o output  n new  R review  ? help  q quit"
  `);
});

test('120x40 shows two panes, with reasons and leases', () => {
  expect(shown(aFrame(), MIDDLE)).toMatchInlineSnapshot(`
    " signalbox  NORMAL  shop  4 lanes  1 of 3 running  1 waiting  1 done  0 failed  $0.33  isolation overlay    ! 1 approval
    ── Lanes ──────────────────────────────────────────────────────────────│── Approval ─────────────────────── 4:19 left ──
     !  deepseek    p9ze bash npm install zod@4        0:01.5    10   $0.01│ ! p9ze deepseek wants to run a shell … warning
                    needs approval, 4:19 left · installs a package         │    npm install zod@4
    ▸⚡ anthropic   m2qd run_tests                     0:04.2    12   $0.21│    installs a package
                    running · holds write path:src/cart.ts                 │ a approve  d deny  m modify  v view  r remember
                     ❯ test/cart.test.ts (3 tests) 1 failed                │ N later  + 5 min
     ⏳ openai      k7f3 write_file src/cart.ts        0:03.1    11   $0.11│── Waiting 1 ───────────────── longest 0:03.1 ──
                    waiting for write path:src/cart.ts                     │  k7f3 openai  behind m2qd anthropic      0:03.1
     ✓  you         y1xx read_file a.ts                                   –│── Leases 1 ─────────────────── fencing token ──
                    idle                                                   │ m2qd anthropic write path:src/cart.ts      4182
                                                                           │
    ── Output m2qd anthropic run_tests ──────────────────────────────────────────────────────────────────────── following ──
       ✓ test/money.test.ts (3 tests) 12 ms
       ❯ test/cart.test.ts (3 tests) 1 failed
















    ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
      12:04:25  you         ✓  y1xx completed read_file a.ts
      12:04:28  anthropic   ⚡ m2qd started run_tests   lease granted, fencing token 4182
      12:04:29  openai      ⏳ k7f3 queued write_file src/cart.ts   behind m2qd
      12:04:31  deepseek    !  p9ze needs approval bash npm install zod@4   installs a package


     ↑↓ lane  ↵ open  c cancel  o output  n new  R review  / find  f filter  z zoom  ? help  q quit"
  `);
});

test('200x50 shows lanes side by side, and waits as a tree (S003-53)', () => {
  expect(shown(aFrame(), LARGE)).toMatchInlineSnapshot(`
    " signalbox  NORMAL  shop  4 lanes  1 of 3 running  1 waiting  1 done  0 failed  $0.33  isolation overlay                                                                                    ! 1 approval
     deepseek                       turn 10    $0.01 │▸anthropic                      turn 12    $0.21 │ openai                         turn 11    $0.11 │ you                                           –
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
    ─────────────────────────────────────────────────│─────────────────────────────────────────────────│─────────────────────────────────────────────────│─────────────────────────────────────────────────
    !  p9ze bash npm install zod@4            0:01.5 │⚡ m2qd run_tests                         0:04.2 │⏳ k7f3 write_file src/cart.ts            0:03.1 │✓  y1xx read_file a.ts
       needs approval, 4:19 left · installs a        │   running · holds write path:src/cart.ts        │   waiting for write path:src/cart.ts            │   idle
       package                                       │                                                 │   for anthropic m2qd (test run)                 │
                                                     │                                                 │                                                 │
    ─ approval ──────────────────────────────────────│─ output ────────────────────────────────────────│─ output ────────────────────────────────────────│─ output ────────────────────────────────────────
     ! WARNING   deepseek wants to … p9ze   4:19 left│   ✓ test/money.test.ts (3 tests) 12 ms          │  (not run yet)                                  │  (finished; o shows its output)
       npm install zod@4                             │   ❯ test/cart.test.ts (3 tests) 1 failed        │                                                 │
       1 warning    installs a package               │                                                 │                                                 │
       Touches  no network · no secrets              │                                                 │                                                 │
       Covers   this exact call (aaaaaaaa)           │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
    ─ recent ────────────────────────────────────────│─ recent ────────────────────────────────────────│─ recent ────────────────────────────────────────│─ recent ────────────────────────────────────────
                                                     │                                                 │                                                 │✓  y1xx read_file a.ts
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
                                                     │                                                 │                                                 │
    ── Approval ───────────────────────────────────────── 4:19 left ──│── What waits for what ───────────────────────────────────────────│── Events ────────────────────────────────────────────────────────
     ! p9ze deepseek wants to run a shell line                warning │m2qd anthropic       write path:src/cart.ts                 0:04.2│  12:04:25  you         ✓  y1xx completed read_file a.ts
        npm install zod@4                                             │└ k7f3 openai          write path:src/cart.ts               0:03.1│  12:04:28  anthropic   ⚡ m2qd started run_tests   lease granted…
        installs a package                                            │── Leases 1 ───────────────────────────────────── fencing token ──│  12:04:29  openai      ⏳ k7f3 queued write_file src/cart.ts   b…
        a approve  d deny  m modify  v view  r remember  N later      │ m2qd anthropic write path:src/cart.ts                        4182│  12:04:31  deepseek    !  p9ze needs approval bash npm install z…
        + 5 min                                                       │                                                                  │
                                                                      │                                                                  │
                                                                      │                                                                  │
                                                                      │                                                                  │
                                                                      │                                                                  │
                                                                      │                                                                  │
     ↑↓ lane  ↵ open  c cancel  o output  n new  R review  / find  f filter  z zoom  ? help  q quit"
  `);
});

test('without connection the screen is frozen, says since when, and offers no answer', () => {
  const update = { kind: 'broken', at: RENDER.now, nextTryAt: RENDER.now + 9000, why: 'gone' } as const;
  const state = watchAfter(storyState(), [update], { now: RENDER.now });
  const later = { ...RENDER, now: RENDER.now + 7000 };
  const rows = screenText(watchFrame(aFrame({ state }), SMALL, later)).split('\n');
  expect(rows[1]).toBe(' Disconnected for 0:07, retrying in 2 s. Shown: 12:04:33. gone');
  expect(rows[4]).toContain('0:04.2');
  expect(rows.join('\n')).not.toContain('approve');
  expect(rows.join('\n')).toContain("Not connected: answers can't be sent");
});

test('a paused screen is frozen and counts what it misses, but the approval’s time runs on', () => {
  const held = { forMs: 60_000, missed: 41 };
  const text = screenText(watchFrame(aFrame({ held }), SMALL, { ...RENDER, now: RENDER.now + 60_000 }));
  expect(text).toContain('paused, 41 events since');
  expect(text).toContain('m2qd run_tests                       0:04.2');
  expect(text).toContain('3:19 left');
});

test('a search says how many lanes match, since they may be off the screen', () => {
  const ui = { ...newWatchUi(), search: 'cart' };
  expect(shown(aFrame({ ui }))).toContain('search: cart   in 2 lanes   n next');
  expect(shown(aFrame({ ui: { ...ui, search: 'nowhere' } }))).toContain('in no lane');
});

test('with more lanes than rows or columns the others are counted by state', () => {
  const many = Array.from({ length: 20 }, (_, i) =>
    anEvent(3, {
      type: 'command_submitted',
      ...ofCommand(`q${i}`, { provider: `${'abcdefghjkmnpqrstvwz'[i]}x-lane`, title: 'bash true' }),
      tool: 'bash',
    }),
  );
  const data = aFrame({ state: storyState(many) });
  expect(shown(data)).toMatch(/18 more of 24 lanes: 18 waits   ↑↓ scroll, s by need/);
  expect(shown(data, MIDDLE)).toMatch(/ \d+ more of 24 lanes: .*waits/);
  const wide = shown(data, LARGE).split('\n');
  expect(wide.find((row) => row.includes('more of 24 lanes'))).toContain('13 more');
  // Lanes without a column are rows.
  expect(wide.some((row) => /^ ⏳ .x-lane/.test(row))).toBe(true);
});

test('the help fits into 80x24, also in ASCII', () => {
  const ui = covered(newWatchUi(), { kind: 'help' });
  const rows = watchFrame(aFrame({ ui }), SMALL, RENDER);
  const ascii = rows.map((row) => renderLine(row, { colour: false, ascii: true, width: 80 }));
  expect(screenText(rows, 80)).not.toContain('…');
  expect(ascii.filter((row) => row.endsWith('~'))).toEqual([]);
  expect(ascii.join('\n')).toContain('q quits; work continues');
});

test('at any width the last row says how to get help and how to quit', () => {
  for (const width of [60, 80, 120]) {
    expect(shown(aFrame({ later: 3 }), { width, height: 23 })).toMatch(/\? help {2}q quit$/);
  }
});

test('while the server’s backend is away the screen shows the last known state, and offers no answer', () => {
  const update = { kind: 'away', asOf: RENDER.now, why: 'Redis does not answer' } as const;
  const state = watchAfter(storyState(), [update], { now: RENDER.now + 3000 });
  const rows = screenText(watchFrame(aFrame({ state }), SMALL, { ...RENDER, now: RENDER.now + 7000 })).split(
    '\n',
  );
  expect(rows[1]).toBe(' Redis does not answer. Shown: 12:04:33. Answers are not accepted.');
  expect(rows[4]).toContain('0:04.2');
  expect(rows.at(-1)).not.toContain('approve');
});

test('below 40 cells or 8 rows it says so, and how to answer, in as many rows as there are', () => {
  expect(shown(aFrame(), { width: 70, height: 6 })).toBe(
    'Terminal too small (70x7).\n1 approval pending: signalbox approve',
  );
  expect(shown(aFrame(), { width: 25, height: 3 })).toBe('Terminal too small\n(25x4).\n1 approval pending:');
});

test('a filter hides lanes but never the approval', () => {
  const ui = newWatchUi({
    text: 'provider:openai',
    terms: [{ key: 'provider', word: 'openai', negated: false }],
  });
  const text = shown(aFrame({ ui }));
  expect(text).toContain('hides no approvals');
  expect(text).toContain('a approve');
  expect(text).not.toContain('anthropic   runs');
});

test('no row is wider and no frame taller than the screen, whatever programs and models write', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const size = fc.record({
    width: fc.integer({ min: 1, max: 200 }),
    height: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(text, text, size, fc.boolean(), (title, printed, { width, height }, ascii) => {
      const of = ofCommand('h1', { provider: 'anthropic', title });
      const state = storyState([
        anEvent(1, { type: 'command_submitted', ...of, tool: 'bash' }),
        anEvent(1, {
          type: 'command_output',
          commandId: aCommandId('m2qd'),
          provider: aProviderId('anthropic'),
          stream: 'stderr',
          output: printed,
        }),
        anEvent(0, {
          type: 'command_failed',
          ...of,
          tool: 'bash',
          outcome: 'failed',
          reason: 'r',
          message: printed,
        }),
      ]);
      const question = storyQuestion(title === '' ? 'echo' : title);
      for (const cover of ['none', 'question', 'help'] as const) {
        const ui = { ...covered(newWatchUi(), { kind: cover }), search: title.slice(0, 3) };
        const rows = watchFrame(aFrame({ state, question, ui }), { width, height }, RENDER);
        expect(rows.length).toBeLessThanOrEqual(height);
        for (const row of rows) {
          expect(lineCells(row)).toBeLessThanOrEqual(width);
          expect(renderLine(row, { colour: false, ascii, width })).not.toMatch(/[\r\n\t]/);
        }
      }
    }),
    { numRuns: 60 },
  );
});
