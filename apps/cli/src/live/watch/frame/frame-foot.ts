import { shortId } from '@signalbox/core';
import { fit, lineCells } from '../../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { type RenderContext, plural } from '../../../terminal/render-context.ts';
import { typedRow } from '../../../views/typed-row.ts';
import type { FrameData } from './frame-data.ts';
import { laneList, lanesWith } from './lane-list.ts';
import { canOperate } from './watch-state.ts';
import { laneChoice } from './watch-ui.ts';

type KeyWord = readonly [key: string, word: string];

/** In ASCII `↵` is spelled out. */
const ROOM_FOR_ENTER = 4;

/** Text being typed or prompted for, the filter and the search, and the keys that work now. */
export function footerRows(data: FrameData, render: RenderContext): readonly Line[] {
  const rows = [...filterRow(data), ...searchRow(data), ...messageRow(data, render), keysRow(data, render)];
  return rows.map((row) => fit(row, render.width));
}

function filterRow({ ui, question }: FrameData): readonly Line[] {
  if (ui.filter.text === '') return [];
  const unblocked = question === null ? '' : '   hides no approvals';
  return [line(muted(' filter: '), as('accent', ui.filter.text), muted(unblocked))];
}

/** The search, and how many lanes match: they may be off the screen. */
function searchRow({ ui, state }: FrameData): readonly Line[] {
  if (ui.search === '' || ui.cover.kind !== 'none') return [];
  const found = lanesWith(state, laneList(state, laneChoice(ui)).lanes, { search: ui.search }).length;
  const where = found === 0 ? 'in no lane' : `in ${plural(found, 'lane')}`;
  const typed = ui.typing?.what === 'search' ? [] : line(muted(' search: '), as('accent', ui.search));
  return [line(typed, muted(`   ${where}   n next  N before  Esc clears`))];
}

/** A confirmation, the text being typed, or the result of the last key. */
function messageRow({ ui: { typing, confirm }, note }: FrameData, render: RenderContext): readonly Line[] {
  if (typing !== null) {
    const row = typedRow(TYPED[typing.what], typing.text, render);
    if (typing.problem !== null) return [line(row, '  ', as('danger', typing.problem))];
    return [typing.options.length === 0 ? row : line(row, '  ', muted(typing.options.join('  ')))];
  }
  if (confirm === null) return note === null ? [] : [note];
  const question =
    confirm.kind === 'cancel'
      ? `Cancel ${shortId(confirm.id)}? Its process will be stopped.`
      : `Undo ${shortId(confirm.id)}? ${plural(confirm.paths.length, 'file')}: ${confirm.paths.slice(0, 3).join(', ')}`;
  return [line(as('badge', ` ${question} `))];
}

function keysRow(data: FrameData, render: RenderContext): Line {
  const { ui, answering } = data;
  if (answering) return line(' ', muted('answering'));
  const room = render.width - ROOM_FOR_ENTER;
  if (ui.typing !== null) return keysLine(typingKeys(ui.typing.what), room);
  if (ui.confirm !== null) return line(' ', as('accent', 'y'), muted(' yes, any other key no'));
  return keysLine(ui.cover.kind === 'none' ? laneKeys(data) : coverKeys(data), room);
}

const TYPED = {
  search: ' / ',
  filter: ' filter: ',
  task: ' new session, TASK or PROVIDER=TASK: ',
  message: ' message: ',
} as const;

const ENTERS: Partial<Record<keyof typeof TYPED, string>> = { task: 'start', message: 'send' };

function typingKeys(what: keyof typeof TYPED): readonly KeyWord[] {
  return [
    ['↵', ENTERS[what] ?? 'ok'],
    ...(what === 'message' ? ([['!', 'first: stop and do this instead']] as const) : []),
    ...(what === 'filter' ? ([['Tab', 'complete']] as const) : []),
    ['Esc', 'back'],
  ];
}

function coverKeys({ ui }: FrameData): readonly KeyWord[] {
  return [
    ['↑↓ PgUp PgDn', 'scroll'],
    ...(ui.cover.kind === 'text' ? ([['G', 'end']] as const) : []),
    ['Esc', 'back'],
  ];
}

/** The keys of an open prompt are below it. */
function laneKeys({ ui, later, state, question, canStart }: FrameData): readonly KeyWord[] {
  return [
    ['↑↓', 'lane'],
    ['↵', 'open'],
    ...(later > 0 ? ([['p', `${later} later`]] as const) : []),
    ...(canOperate(state) ? ([['c', 'cancel']] as const) : []),
    ['o', 'output'],
    ...(canStart && ui.search === '' ? ([['n', 'new']] as const) : []),
    [question === null ? 'r' : 'R', 'review'],
    ['/', 'find'],
    ['f', 'filter'],
    ['z', ui.zoom === null ? 'zoom' : 'all panes'],
    ['?', 'help'],
    ['q', 'quit'],
  ];
}

/** If not all fit, words are dropped from the right; help and quit are always shown. */
function keysLine(keys: readonly KeyWord[], room: number): Line {
  const row = keys.flatMap(([key, word], i) =>
    line(i === 0 ? ' ' : '  ', as('accent', key), muted(` ${word}`)),
  );
  const dropped = keys.findLastIndex(([key]) => !KEPT.has(key));
  return lineCells(row) <= room || dropped < 0 ? row : keysLine(keys.toSpliced(dropped, 1), room);
}

const KEPT: ReadonlySet<string> = new Set(['?', 'q', 'Esc']);
