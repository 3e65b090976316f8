import { basename } from 'node:path';
import { shortId } from '@signalbox/core';
import { cells, cutEnd, fit, gap, lineCells, spread } from '../screen/cells.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { clockTime, type Look, money, plural, timeOfDay } from '../screen/look.ts';
import { costOf } from '../run/run-state.ts';
import { MODE_ROLE } from '../views/status-view.ts';
import { typedRow } from '../views/typed-row.ts';
import { runningOf, waitingOf } from './side-panes.ts';
import type { FrameData } from './frame-data.ts';

/** For how long it is told that the connection is back, in milliseconds. */
const BACK_MS = 10_000;

/** Drops words from the right, never the mode, never the badge. */
export function headerRow({ state, ui }: FrameData, look: Look): Line {
  const asks = [...state.run.commands.values()].filter((command) => command.state === 'asks').length;
  const cost = costOf(state.run);
  const words = [
    plural(state.run.lanes.size, 'lane'),
    `${runningOf(state).length} running`,
    `${waitingOf(state).length} waiting`,
    `${state.ended.done} done`,
    `${state.ended.failed} failed`,
    ...(cost === null ? [] : [money(cost)]),
  ];
  const end = line(
    ...(ui.held ? [as('warn', 'held  ')] : []),
    ...(asks === 0 ? [] : [as('badge', `! ${plural(asks, 'approval')}`)]),
  );
  const head = line(
    as('bold', ' signalbox'),
    '  ',
    state.connection.kind === 'first-try' ? muted('…') : as(MODE_ROLE[state.mode], state.mode),
    `  ${cutEnd(basename(state.workspace), 20)}`,
  );
  const room = look.width - lineCells(head) - lineCells(end) - 1;
  return spread(line(head, muted(fittingWords(words, room))), end, look.width);
}

/** As many of the words, from the first on, as fit. */
function fittingWords(words: readonly string[], room: number): string {
  let text = '';
  for (const word of words) {
    if (cells(text) + cells(word) + 2 > room) break;
    text += `  ${word}`;
  }
  return text;
}

/** Whether this is the present, where that is not plain. */
export function newsRow({ state: { connection, events } }: FrameData, look: Look): readonly Line[] {
  switch (connection.kind) {
    case 'first-try':
      return [];
    case 'broken':
      return [brokenRow(connection, look)];
    case 'away':
      return [awayRow(connection, look)];
    case 'connected': {
      if (connection.after === 'start' || look.now - connection.since > BACK_MS) return [];
      if (connection.after === 'gap') {
        return [line(as('warn', ' gap: older events are gone, showing the present'))];
      }
      const missed = events.length === 0 ? 0 : connection.caughtUp;
      return [line(as('ok', ` back, ${plural(missed, 'event')} caught up`))];
    }
  }
}

function brokenRow(
  { since, nextTryAt, why }: FrameData['state']['connection'] & { readonly kind: 'broken' },
  look: Look,
): Line {
  const { now } = look;
  const next = Math.max(0, Math.ceil((nextTryAt - now) / 1000));
  return fit(
    line(
      as('warn', ` Not connected for ${clockTime(now - since)}, next try in ${next} s.`),
      ` Shown: ${timeOfDay(since, look)}. `,
      muted(why),
    ),
    look.width,
  );
}

function awayRow(
  { since, why }: FrameData['state']['connection'] & { readonly kind: 'away' },
  look: Look,
): Line {
  return fit(
    line(
      as('warn', ` ${why}.`),
      ` Shown: ${timeOfDay(since, look)}. `,
      muted('Nothing counts until it does.'),
    ),
    look.width,
  );
}

/** What is typed or asked, the filter, and the keys that work now. */
export function footerRows(data: FrameData, look: Look): readonly Line[] {
  const { ui, note } = data;
  const top = promptRow(data, look);
  const rows = top === null ? (note === null ? [] : [note]) : [top];
  const filter =
    ui.filter.text === ''
      ? []
      : [line(muted(' filter: '), as('accent', ui.filter.text), hiddenQuestion(data))];
  return [...filter, ...rows, keysRow(data, look)].map((row) => fit(row, look.width));
}

function hiddenQuestion({ question }: FrameData): Line {
  return question === null ? [] : line(muted('   hides no approvals'));
}

function promptRow({ ui: { typing, confirm } }: FrameData, look: Look): Line | null {
  if (typing !== null) {
    const row = typedRow(typing.what === 'search' ? ' / ' : ' filter: ', typing.text, look);
    if (typing.problem !== null) return line(row, '  ', as('danger', typing.problem));
    return typing.options.length === 0 ? row : line(row, '  ', muted(typing.options.join('  ')));
  }
  if (confirm === null) return null;
  const question =
    confirm.kind === 'cancel'
      ? `Cancel ${shortId(confirm.id)}? What runs is stopped.`
      : `Undo ${shortId(confirm.id)}? ${plural(confirm.paths.length, 'file')}: ${confirm.paths.slice(0, 3).join(', ')}`;
  return line(as('badge', ` ${question} `), ' ', as('accent', 'y'), ' yes, any other key no');
}

function keysRow({ ui, question, answering, later, state }: FrameData, look: Look): Line {
  const isConnected = state.connection.kind === 'connected';
  if (answering) return line(' ', muted('you answer'));
  if (ui.typing !== null)
    return keysLine([
      ['↵', 'ok'],
      ...(ui.typing.what === 'filter' ? ([['Tab', 'complete']] as const) : []),
      ['Esc', 'back'],
    ]);
  if (ui.cover.kind !== 'none')
    return keysLine([
      ['↑↓', 'scroll'],
      ['Esc', 'back'],
    ]);
  return keysLine([
    ['↑↓', 'lane'],
    ['↵', 'open'],
    ...(ui.zoom !== null || look.width >= 100
      ? ([['z', ui.zoom === null ? 'zoom' : 'all panes']] as const)
      : []),
    ...(question !== null && isConnected
      ? ([
          ['a', 'approve'],
          ['d', 'deny'],
        ] as const)
      : []),
    ...(later > 0 ? ([['p', `${later} later`]] as const) : []),
    ...(isConnected ? ([['c', 'cancel']] as const) : []),
    ...(question === null || look.width >= 100 ? ([['o', 'output']] as const) : []),
    ['/', 'find'],
    ['f', 'filter'],
    ['?', 'help'],
    ['q', 'quit'],
  ]);
}

function keysLine(keys: readonly (readonly [key: string, word: string])[]): Line {
  return keys.flatMap(([key, word], i) => line(i === 0 ? ' ' : '  ', as('accent', key), muted(` ${word}`)));
}

export function helpRows(): readonly Line[] {
  return [
    ' Move      ↑↓ jk lane   ←→ Tab pane   z zoom   ↵ open   Esc back   s by need',
    ' Decide    a approve    d deny   m modify   v view   r remember   n p next',
    ' Act       c cancel   u undo   o output   y copy id   Space hold the screen',
    ' Find      / search   n N next   f filter, Tab completes, - negates',
    '           provider:openai  state:waits  tool:bash  path:src/  level:>=warning',
    ' Icons     ⚡ running  ⏳ waiting  ✓ done  ✗ failed  ! asks you  ⊘ refused',
    '           ○ cancelled  ? lost',
    ' q leaves; the work goes on. To stop work: c here, or signalbox cancel --all',
  ].map((row) => line(...row.split(/( {2,})/).map((part) => (part.trim() === '' ? gap(part.length) : part))));
}
