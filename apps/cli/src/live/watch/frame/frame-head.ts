import { basename } from 'node:path';
import { cells, cutEnd, fit, lineCells, spread } from '../../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { clockTime, type RenderContext, money, plural, timeOfDay } from '../../../terminal/render-context.ts';
import { commandsIn, costOf, savedIn, savingsText } from '@signalbox/api';
import { MODE_ROLE } from '../../../views/status-view.ts';
import type { FrameData } from './frame-data.ts';
import { lanesIn } from './lane-list.ts';

/** How long "reconnected" is shown, in milliseconds. */
const BACK_MS = 10_000;

/** Drops words from the right, but never the mode or the badge. */
export function headerRow({ state, held }: Pick<FrameData, 'state' | 'held'>, render: RenderContext): Line {
  const lanes = lanesIn(state);
  const asks = commandsIn(state, 'awaiting_approval').length;
  const cost = costOf(lanes);
  const saved = savingsText(savedIn(lanes));
  const { done, failed, stale, hasOlder } = state.ended;
  const { maxConcurrent } = state.limits;
  const more = hasOlder ? '+' : '';
  const words = [
    plural(lanes.length, 'lane'),
    `${commandsIn(state, 'running').length}${maxConcurrent === 0 ? '' : ` of ${maxConcurrent}`} running`,
    `${commandsIn(state, 'queued').length} waiting`,
    `${done}${more} done`,
    // No failure in the last ones; earlier ones are unknown.
    ...(failed === 0 && hasOlder ? [] : [`${failed}${more} failed`]),
    ...(stale === 0 ? [] : [`${stale}${more} stale`]),
    ...(cost === null ? [] : [money(cost)]),
    ...(saved === '' ? [] : [saved]),
    `isolation ${state.isolation}`,
  ];
  const end = line(
    ...(held === null ? [] : [as('warn', `paused, ${plural(held.missed, 'event')} since  `)]),
    ...(asks === 0 ? [] : [as('badge', `! ${plural(asks, 'approval')}`)]),
  );
  const head = line(
    as('bold', ' signalbox'),
    '  ',
    state.connection.kind === 'first-try' ? muted('…') : as(MODE_ROLE[state.mode.mode], state.mode.mode),
    `  ${cutEnd(basename(state.workspace), 20)}`,
  );
  const room = render.width - lineCells(head) - lineCells(end) - 1;
  return spread(line(head, muted(fittingWords(words, room))), end, { width: render.width });
}

/** As many of the words, from the first, as fit. */
function fittingWords(words: readonly string[], room: number): string {
  let text = '';
  for (const word of words) {
    if (cells(text) + cells(word) + 2 > room) break;
    text += `  ${word}`;
  }
  return text;
}

/** Whether the screen is current, if that is not obvious. */
export function feedRow(
  { state: { connection, events } }: FrameData,
  render: RenderContext,
): readonly Line[] {
  switch (connection.kind) {
    case 'first-try':
      return [];
    case 'broken':
      return [brokenRow(connection, render)];
    case 'away':
      return [awayRow(connection, render)];
    case 'connected': {
      if (connection.after === 'start' || render.now - connection.since > BACK_MS) return [];
      if (connection.after === 'gap') {
        return [line(as('warn', ' Some events were missed; showing the current state'))];
      }
      const missed = events.length === 0 ? 0 : connection.caughtUp;
      return [line(as('ok', ` Reconnected, ${plural(missed, 'event')} replayed`))];
    }
  }
}

function brokenRow(
  { since, nextTryAt, why }: FrameData['state']['connection'] & { readonly kind: 'broken' },
  render: RenderContext,
): Line {
  const { now } = render;
  const next = Math.max(0, Math.ceil((nextTryAt - now) / 1000));
  return fit(
    line(
      as('warn', ` Disconnected for ${clockTime(now - since)}, retrying in ${next} s.`),
      ` Shown: ${timeOfDay(since, render)}. `,
      muted(why),
    ),
    render.width,
  );
}

function awayRow(
  { since, why }: FrameData['state']['connection'] & { readonly kind: 'away' },
  render: RenderContext,
): Line {
  return fit(
    line(as('warn', ` ${why}.`), ` Shown: ${timeOfDay(since, render)}. `, muted('Answers are not accepted.')),
    render.width,
  );
}
