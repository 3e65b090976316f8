import { COMPRESSION_WORDS, compressionNote, eventText, inSentence } from '@signalbox/api';
import type { Event, ProviderId } from '@signalbox/core';
import { column, gap, lineCells, wrap } from '../terminal/cells.ts';
import { iconCell } from '../terminal/icon.ts';
import { as, type Line, line, muted, type TextRole } from '../terminal/line.ts';
import { duration, type RenderContext, plural, timeOfDay } from '../terminal/render-context.ts';
import { sessionIcon } from './session-word.ts';

/** Rows of a model's words at once, unless everything is shown. */
const MAX_TEXT_LENGTH = 20;

/** What a session says or reports, for the scrollback of `run`; empty for events that the lanes show. */
export function sessionView(
  event: Event,
  isVerbose: boolean,
  { render, nameWidth }: Readonly<{ render: RenderContext; nameWidth: number }>,
): readonly Line[] {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others show in the lanes or as endings
  switch (event.type) {
    case 'turn_ended':
      return modelTextRows(event, isVerbose ? Infinity : MAX_TEXT_LENGTH, { render, nameWidth });
    case 'turn_failed': {
      if (event.kind === 'Cancelled') return [];
      const again = event.retryInMs === null ? '' : `; retrying in ${duration(event.retryInMs)}`;
      const text = `turn ${event.turn} failed: ${event.message}${again}`;
      return noteRows(event, { icon: '!', role: 'warn', text }, { render, nameWidth });
    }
    case 'message_said':
      return modelTextRows({ at: event.at, provider: event.provider, says: event.text }, Infinity, {
        render,
        nameWidth,
        by: event.by,
      });
    case 'session_resumed':
    case 'session_waiting': {
      const { word = '', note = '' } = eventText(event, () => '') ?? {};
      const text = `${inSentence(word)}${note === '' ? '' : `: ${note}`}`;
      const icon = event.type === 'session_resumed' ? '~' : '!';
      const role = event.type === 'session_resumed' ? 'muted' : 'warn';
      return noteRows(event, { icon, role, text }, { render, nameWidth });
    }
    case 'context_compressed': {
      const word = inSentence(COMPRESSION_WORDS[event.how]);
      return noteRows(
        event,
        { icon: '~', role: 'muted', text: `conversation ${word}: ${compressionNote(event)}` },
        { render, nameWidth },
      );
    }
    case 'session_ended': {
      if (event.finish === 'finished') return [];
      const { icon, role, word } = sessionIcon(event.finish);
      const why = event.message === '' || event.finish === 'cancelled' ? '' : `: ${event.message}`;
      return noteRows(event, { icon, role, text: `session ${word}${why}` }, { render, nameWidth });
    }
    default:
      return [];
  }
}

/** `12:04:33    anthropic › I look at the tests first.`, wrapped under itself; its own line breaks are kept. */
function modelTextRows(
  { at, provider, says }: Readonly<{ at: number; provider: ProviderId; says: string }>,
  max: number,
  {
    render,
    nameWidth,
    by = null,
  }: Readonly<{ render: RenderContext; nameWidth: number; by?: string | null }>,
): readonly Line[] {
  const head = line(
    muted(timeOfDay(at, render)),
    gap(4),
    column(provider, nameWidth, { role: 'muted' }),
    muted(by === null ? ' › ' : ` ‹ ${by}: `),
  );
  const indent = lineCells(head);
  const rows = says
    .split('\n')
    .filter((text) => text.trim() !== '')
    .flatMap((text) => wrap(text.trimEnd().replaceAll('\t', '  '), Math.max(20, render.width - indent)));
  const more = rows.length - max;
  return [...rows.slice(0, max), ...(more > 0 ? [`… ${plural(more, 'more line')}; -v shows all`] : [])].map(
    (row, i) => line(i === 0 ? head : gap(indent), row),
  );
}

function noteRows(
  { at, provider }: Readonly<{ at: number; provider: ProviderId }>,
  { icon, role, text }: Readonly<{ icon: string; role: TextRole; text: string }>,
  { render, nameWidth }: Readonly<{ render: RenderContext; nameWidth: number }>,
): readonly Line[] {
  const head = line(
    muted(timeOfDay(at, render)),
    ' ',
    iconCell({ icon, role, word: '' }),
    column(provider, nameWidth),
    '  ',
  );
  const indent = lineCells(head);
  return wrap(text.trim().replaceAll(/\s+/g, ' '), Math.max(20, render.width - indent)).map((row, i) =>
    line(i === 0 ? head : gap(indent), as(role, row)),
  );
}
