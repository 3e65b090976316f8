import { commandsIn } from '@signalbox/api';
import { fit, gap, wrap } from '../../terminal/cells.ts';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { plural, type RenderContext } from '../../terminal/render-context.ts';
import { type ApprovalData, needsSecondKey } from '../../views/command/approval-view.ts';
import { isWholeInPane, whyNoAnswer } from './frame/approval-pane.ts';
import type { FrameData, Size } from './frame/frame-data.ts';
import { footerRows } from './frame/frame-foot.ts';
import { feedRow, headerRow } from './frame/frame-head.ts';
import { laneList, lanesIn } from './frame/lane-list.ts';
import {
  columnsLayout,
  narrowLayout,
  stackedLayout,
  thirdOf,
  twoPanesLayout,
  widthOfRight,
} from './frame/layouts.ts';
import { coverPane, dimmed, exactly, highlighted } from './frame/panes.ts';
import { wholeQuestion } from './frame/question-pane.ts';
import { canAnswer } from './frame/watch-state.ts';
import { type KeyFacts, laneChoice } from './frame/watch-ui.ts';
import { zoomedLayout } from './frame/zoomed-layout.ts';

/** Lanes are side by side from this size on. */
const COLUMNS: Size = { width: 160, height: 40 };

const SMALLEST: Size = { width: 40, height: 7 };
const NARROW = 60;
const TWO_PANES: Size = { width: 100, height: 30 };
/** With fewer rows a part of the approval may fall off the screen. */
const LEAST_FOR_QUESTION = 18;

/** The whole screen: a pure function of data, size and clock. Never has more or wider rows than fit. */
export function watchFrame(data: FrameData, size: Size, clock: RenderContext): readonly Line[] {
  const render = renderOf(data, size, clock);
  if (!isAtLeast(size, SMALLEST)) return tooSmall(data, size);
  const { top, bottom, height } = edges(data, size, clock);
  const middle = exactly(middleRows(data, size, { height, render }), height);
  const shown = isPast(data.state.connection) ? middle.map(dimmed) : middle;
  return [...top, ...shown.map((row) => highlighted(row, data.ui.search)), ...bottom].map((row) =>
    fit(row, size.width),
  );
}

/** Rows at the top and bottom, and how many are left between them. */
function edges(data: FrameData, size: Size, clock: RenderContext) {
  const render = renderOf(data, size, clock);
  const top = [headerRow(data, render), ...feedRow(data, { ...clock, width: size.width })];
  const bottom = footerRows(data, render);
  return { top, bottom, height: size.height - top.length - bottom.length };
}

/** For an overlay: visible rows, and the largest scroll offset. */
export function overlayScroll(data: FrameData, size: Size, clock: RenderContext): KeyFacts['scrollRange'] {
  const { height } = edges(data, size, clock);
  return coverRows(data, height, renderOf(data, size, clock))?.scrollRange ?? { page: 1, max: 0 };
}

/** Whether the lanes' screen shows all of what the open approval would run. */
export function isQuestionWhole(question: ApprovalData, size: Size, clock: RenderContext): boolean {
  if (size.height < LEAST_FOR_QUESTION) return false;
  const width = questionWidth(size);
  return isWholeInPane(question, { ...clock, width });
}

/** Whether the screen shows an earlier time. */
function isPast(
  connection: FrameData['state']['connection'],
): connection is FrameData['state']['connection'] & { readonly kind: 'broken' | 'away' } {
  return connection.kind === 'broken' || connection.kind === 'away';
}

/** Without a connection, or while paused, the screen shows an earlier time: timers are frozen. */
function renderOf(
  { state: { connection }, held }: FrameData,
  { width }: Size,
  clock: RenderContext,
): RenderContext {
  const now = clock.now - (held?.forMs ?? 0);
  return { ...clock, width, now: isPast(connection) ? Math.min(now, connection.since) : now };
}

function tooSmall({ state }: FrameData, { width, height }: Size): readonly Line[] {
  const waiting = commandsIn(state, 'awaiting_approval').length;
  const asks = waiting === 0 ? '' : `${plural(waiting, 'approval')} pending: signalbox approve`;
  const rows = [
    ...wrap(`Terminal too small (${width}x${height + 1}).`, width).map((row) => line(row)),
    ...wrap(asks, width).map((row) => line(as('asks', row))),
  ];
  return rows.slice(0, Math.max(1, height)).map((row) => fit(row, width));
}

function middleRows(
  data: FrameData,
  whole: Size,
  { height, render }: Readonly<{ height: number; render: RenderContext }>,
): readonly Line[] {
  const { ui, question } = data;
  const cover = coverRows(data, height, render);
  if (cover !== null) return cover.rows;
  const { lanes, folded } = laneList(data.state, laneChoice(ui));
  if (lanes.length === 0 && question === null) return nothingYet(data);
  const picture = { data, lanes, folded, size: { ...whole, height } };
  if (whole.width < NARROW) return narrowLayout(picture, render);
  if (ui.zoom !== null) return zoomedLayout(ui.zoom, picture, render);
  if (isAtLeast(whole, COLUMNS)) return columnsLayout(picture, render);
  if (isAtLeast(whole, TWO_PANES)) return twoPanesLayout(picture, render);
  return stackedLayout(picture, render);
}

/** The width in which the lanes' screen shows the approval. */
function questionWidth(size: Size): number {
  if (isAtLeast(size, COLUMNS)) return thirdOf(size.width);
  return isAtLeast(size, TWO_PANES) ? widthOfRight(size.width) : size.width;
}

function isAtLeast(size: Size, least: Size): boolean {
  return size.width >= least.width && size.height >= least.height;
}

function nothingYet({ state, ui }: FrameData): readonly Line[] {
  if (ui.filter.terms.length > 0 && lanesIn(state).length > 0) {
    return [BLANK, line(' No lane matches the filter (f to edit)')];
  }
  if (state.connection.kind === 'first-try') return [BLANK, line(muted(' Connecting …'))];
  const { done, failed, stale, hasOlder } = state.ended;
  const hasWorked = done + failed + stale > 0 || hasOlder;
  return [
    BLANK,
    line(` ${hasWorked ? 'No activity in the last 10 minutes' : 'No activity yet'}`),
    line(
      '   ',
      as('accent', 'signalbox run "…"'),
      '     ',
      as('accent', 'signalbox connect codex'),
      '     ? keys',
    ),
  ];
}

/** The overlay over the lanes, in that many rows, and how far it scrolls; null if there is none. */
function coverRows(
  { state, ui, question, prompt, answering }: FrameData,
  height: number,
  render: RenderContext,
): Readonly<{ rows: readonly Line[]; scrollRange: KeyFacts['scrollRange'] }> | null {
  const of = { scroll: ui.scroll, height };
  if (question !== null && (answering || ui.cover.kind === 'question')) {
    const below = answering || canAnswer(state) ? prompt : [whyNoAnswer(state, render)];
    return wholeQuestion(question, below, { of, render });
  }
  switch (ui.cover.kind) {
    case 'help':
      return coverPane({ title: 'Keys', rows: helpRows(question) }, of, render);
    case 'text':
      return coverPane({ title: ui.cover.title, rows: ui.cover.lines }, of, render);
    case 'question':
    case 'none':
      return null;
  }
}

/** All keys of the live screen; while a prompt is open, only those that apply to it. */
function helpRows(question: FrameData['question']): readonly Line[] {
  const remember = question !== null && needsSecondKey(question.record) ? '' : 'r remember   ';
  return [
    ' Move      ↑↓ jk lane   ↵ open   Esc back   z zoom pane   ←→ Tab other panes',
    ` Decide    a approve   d deny   m modify   v view   ${remember}+ 5 min`,
    '           N later   p approvals left for later',
    ' Act       n new session   r review (R while a question is open)',
    '           c cancel   u undo   o output   y copy id',
    '           i message to the session   C compress its conversation',
    ' Find      / search (n next, N before)   f filter, Tab completes, - negates',
    '           provider:openai  state:waiting  tool:bash  path:src/  level:>=warning',
    ' See       s sort by attention   e ended   Space freezes   PgUp PgDn G scroll',
    ' Icons     ⚡ running  ⏳ waiting  ✓ done  ≠ exit code not 0  ✗ failed',
    '           ! needs approval  ⊘ denied  ○ cancelled  ? lost',
    ' q quits; work continues. To stop work: c here, or signalbox cancel --all',
  ].map((row) => line(...row.split(/( {2,})/).map((part) => (part.trim() === '' ? gap(part.length) : part))));
}
