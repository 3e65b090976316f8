import { commandsIn } from '@signalbox/api';
import { fit } from '../../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { type RenderContext } from '../../../terminal/render-context.ts';
import { timeLeft } from '../../../views/command/time-left.ts';
import type { FrameData } from './frame-data.ts';
import { paneRule } from './panes.ts';
import { shortQuestion } from './question-pane.ts';
import { canAnswer, type WatchState } from './watch-state.ts';

const QUESTION_ROWS = 6;
const LAST_MINUTE_MS = 60_000;

/** Shown instead of keys. */
export function whyNoAnswer({ connection }: WatchState, render: RenderContext): Line {
  const why =
    connection.kind === 'connected'
      ? 'Read only: answering needs an approver token'
      : "Not connected: answers can't be sent";
  return fit(line(muted(`    ${why}`)), render.width);
}

/** The open approval in short, and how many are pending; empty if there is none. */
export function approvalPane(
  { state, ui, question, later, held }: FrameData,
  render: RenderContext,
): readonly Line[] {
  const asking = commandsIn(state, 'awaiting_approval').length;
  if (question === null) {
    if (asking === 0) return [];
    const how =
      later > 0
        ? line(' ', as('accent', 'p'), muted(' shows the ones you left for later'))
        : line(' ', as('accent', 'signalbox approve'), muted(' shows and answers them'));
    return [paneRule(`Approvals ${asking}`, '', { width: render.width }), how];
  }
  // Its time runs on while the screen is paused.
  const now = render.now + (held?.forMs ?? 0);
  const left = (question.record.approval?.expiresAt ?? now) - now;
  const word = question.record.approval?.question === undefined ? 'Approval' : 'Question';
  const title = asking > 1 ? `${word} 1 of ${asking}` : word;
  const { rows, keys } = shortQuestion(
    question,
    // During a search N goes to the previous lane.
    { max: QUESTION_ROWS, later: ui.search === '', you: state.you.name },
    render,
  );
  return [
    paneRule(title, as(left < LAST_MINUTE_MS ? 'danger' : 'warn', timeLeft(now + left, now)), {
      width: render.width,
    }),
    ...rows,
    ...(canAnswer(state) ? keys : [whyNoAnswer(state, render)]),
  ];
}

/** The same, if a place is reserved for it. */
export function approvalPosition(data: FrameData, render: RenderContext): readonly Line[] {
  const rows = approvalPane(data, render);
  return rows.length > 0
    ? rows
    : [paneRule('Approvals', '', { width: render.width }), line(muted(' No approvals pending'))];
}

/** Whether the pane shows all of what would run. */
export function isWholeInPane(question: NonNullable<FrameData['question']>, render: RenderContext): boolean {
  return shortQuestion(question, { max: QUESTION_ROWS, later: true, you: '' }, render).whole;
}
