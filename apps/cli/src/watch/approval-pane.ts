import { as, type Line, line, muted } from '../screen/line.ts';
import { clockTime, type Look } from '../screen/look.ts';
import type { FrameData } from './frame-data.ts';
import { paneRule } from './panes.ts';
import { shortQuestion } from './question-pane.ts';

const QUESTION_ROWS = 6;

/** The open question in short, and how many wait for an answer; empty where nobody asks. */
export function approvalPane({ state, question, later }: FrameData, look: Look): readonly Line[] {
  const asking = [...state.run.commands.values()].filter((command) => command.state === 'asks').length;
  if (question === null) {
    if (asking === 0) return [];
    const how =
      later > 0
        ? line(' ', as('accent', 'p'), muted(' shows what you left for later'))
        : line(' ', as('accent', 'signalbox approve'), muted(' shows and answers them'));
    return [paneRule(`Approvals ${asking}`, '', look.width), how];
  }
  const left = (question.record.approval?.expiresAt ?? look.now) - look.now;
  const title = asking > 1 ? `Approval 1 of ${asking}` : 'Approval';
  const { rows } = shortQuestion(question, QUESTION_ROWS, look);
  const isConnected = state.connection.kind === 'connected';
  return [
    paneRule(title, `${clockTime(left)} left`, look.width),
    ...(isConnected ? rows : [...rows.slice(0, -1), line(muted('    no answer counts now: not connected'))]),
  ];
}

/** The same where a place is kept for it. */
export function approvalPlace(data: FrameData, look: Look): readonly Line[] {
  const rows = approvalPane(data, look);
  return rows.length > 0 ? rows : [paneRule('Approvals', '', look.width), line(muted(' nobody asks'))];
}

/** Whether all of what would run stands in the pane. */
export function isWholeInPane(question: NonNullable<FrameData['question']>, look: Look): boolean {
  return shortQuestion(question, QUESTION_ROWS, look).whole;
}
