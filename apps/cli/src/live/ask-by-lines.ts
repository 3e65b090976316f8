import { FIVE_MINUTES_MS } from '@signalbox/api';
import type { CommandRecord, PersonQuestion } from '@signalbox/core';
import { line } from '../terminal/line.ts';
import { approvalView } from '../views/command/approval-view.ts';
import { outcomeLine } from './outcome-line.ts';
import { type LinePrompt, modifyByLines, rememberByLines } from './change-by-lines.ts';

/**
 * The line-based prompt, for terminals without single-key input and for screen readers: the approval as text, then a
 * typed answer. True if answered, false if postponed or gone.
 */
export async function askByLines(record: CommandRecord, options: LinePrompt): Promise<boolean> {
  const { context, approvals, signal } = options;
  let full = false;
  while (!signal.aborted) {
    const asked = (await approvals.pending()).find(({ id }) => id === record.id);
    if (asked === undefined) return false;
    const preview = await approvals.preview(asked);
    const data = { record: asked, full, preview };
    context.tell(approvalView(data, context.noticeRender()));
    const question = asked.approval?.question;
    if (question !== undefined) return answerByLine(asked, question, options);
    const word = (await context.askLine('Answer [a/d/m/v/r/+/?, empty: later]: ', signal))
      ?.trim()
      .toLowerCase();
    full = word === 'v';
    switch (word) {
      case undefined:
      case '':
        return false;
      case 'a':
        context.tell([outcomeLine(asked, await approvals.answer(asked, { kind: 'approve' }))]);
        return true;
      case '+':
        context.tell([
          outcomeLine(asked, await approvals.answer(asked, { kind: 'extend', ms: FIVE_MINUTES_MS })),
        ]);
        break;
      case 'd': {
        const reason = (await context.askLine('Reason (optional): ', signal)) ?? '';
        const answer = { kind: 'deny', ...(reason === '' ? {} : { reason }) } as const;
        context.tell([outcomeLine(asked, await approvals.answer(asked, answer))]);
        return true;
      }
      case 'm':
        if (await modifyByLines(asked, options)) return true;
        break;
      case 'r':
        if (await rememberByLines(asked, options)) return true;
        break;
      case 'v':
        break;
      default:
        context.tell([
          line('a: run exactly this   d: deny   m: edit the shell line first'),
          line('v: view all details   r: allow by a rule, shown first   +: 5 more minutes'),
        ]);
    }
  }
  return false;
}

async function answerByLine(
  record: CommandRecord,
  { choices, allowText }: PersonQuestion,
  { context, approvals, signal }: LinePrompt,
): Promise<boolean> {
  const how = [
    ...(choices.length === 0 ? [] : [`1-${choices.length}`]),
    ...(allowText ? ['text'] : []),
    '-: decline',
    'empty: later',
  ];
  const typed = (await context.askLine(`Answer [${how.join(', ')}]: `, signal))?.trim() ?? '';
  if (typed === '') return false;
  const answer =
    typed === '-'
      ? ({ kind: 'deny' } as const)
      : ({ kind: 'answer', text: choices[Number(typed) - 1] ?? typed } as const);
  context.tell([outcomeLine(record, await approvals.answer(record, answer))]);
  return true;
}
