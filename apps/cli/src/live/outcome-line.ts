import type { AnswerOutcome } from '@signalbox/coordinator';
import { type CommandRecord, shortId } from '@signalbox/core';
import { cutMiddle } from '../terminal/cells.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { someOf } from '../views/command/some-of.ts';
import type { RuleResult } from '../client/approvals-client.ts';
import type { StoredDraft } from '../runtime/rules/rule-draft.ts';

/** Where a rule was stored, and how to remove it. */
function storedLine({ id, where, counts }: StoredDraft): Line {
  return line(
    as('ok', ' ✓'),
    ` rule ${id} in ${where}`,
    ...(counts ? [] : [as('warn', ' · takes effect once trusted: signalbox rules trust')]),
    muted(` · signalbox rules remove ${id}`),
  );
}

/** The result for an answer's rule; empty if the answer itself did not count. */
export function ruleLines({ stored, notStored }: RuleResult): readonly Line[] {
  if (stored !== null) return [storedLine(stored)];
  return notStored === null ? [] : [line(as('warn', ' !'), ` no rule was saved: ${notStored}`)];
}

const SHOWN_TITLE = 50;

const STATUS = { pending: 'pending', granted: 'approved', refused: 'denied', expired: 'expired' } as const;

const QUESTION_STATUS = { ...STATUS, granted: 'answered', refused: 'declined' } as const;

/** The result of an answer, in one line. */
export function outcomeLine(record: CommandRecord, outcome: AnswerOutcome): Line {
  const id = shortId(record.id);
  switch (outcome.kind) {
    case 'granted':
      return line(
        as('ok', ' ✓'),
        ` you approved ${id} `,
        muted(cutMiddle(outcome.record.title, SHOWN_TITLE)),
      );
    case 'answered': {
      const { approval } = outcome.record;
      const said = approval?.status === 'granted' ? (approval.answer ?? '') : '';
      return line(as('ok', ' ✓'), ` you answered ${id} `, muted(cutMiddle(said, SHOWN_TITLE)));
    }
    case 'refused':
      if (record.approval?.question !== undefined)
        return line(as('danger', ' ⊘'), ` you declined ${id}: ${record.context.provider} decides by itself`);
      return line(as('danger', ' ⊘'), ` you denied ${id} `, muted(cutMiddle(record.title, SHOWN_TITLE)));
    case 'extended':
      return line(as('ok', ' ✓'), ` you gave ${id} more time `, muted(cutMiddle(record.title, SHOWN_TITLE)));
    case 'late':
      return line(
        as('ok', ' ✓'),
        ` your answer to ${id} is saved: ${record.context.provider} was told that it expired, and its next identical call uses it`,
      );
    case 'counted': {
      const { approval } = outcome.record;
      const count = `${approval?.grants.length ?? 1} of ${approval?.approvers ?? 2}`;
      return line(as('ok', ' ✓'), ` you approved ${id}, ${count}: one more approver is needed`);
    }
    case 'same-person':
      return line(as('warn', ' !'), ` you already approved ${id}: another approver is needed`);
    case 'files-changed':
      return line(
        as('warn', ' !'),
        ` ${id} was not approved: ${someOf(outcome.paths)} changed since the request. It is pending again`,
      );
    case 'already-decided': {
      const { approval } = outcome;
      const who = 'by' in approval ? `by ${approval.by.name}` : 'without an answer';
      const status =
        approval.question === undefined ? STATUS[approval.status] : QUESTION_STATUS[approval.status];
      return line(as('warn', ' !'), ` ${id} was answered before you: ${status} ${who}`);
    }
    case 'changed':
      return line(as('warn', ' !'), ` ${id} changed after you opened it. Review it again`);
    case 'not-approvable':
      if (record.approval?.question !== undefined)
        return line(as('danger', ' ⊘'), ` ${id} is not answered: ${outcome.failure.message}`);
      return line(as('danger', ' ⊘'), ` ${id} can't be approved: ${outcome.failure.message}`);
    case 'unknown':
      return line(as('warn', ' !'), ` ${id} is no longer pending`);
  }
}

/** Whether the session was stopped, if the denial was to end it. */
export function sessionLines({ context }: CommandRecord, outcome: AnswerOutcome): readonly Line[] {
  if (outcome.kind !== 'refused' || outcome.sessionStopped === undefined) return [];
  const { provider, sessionId } = context;
  if (outcome.sessionStopped) return [line(`   the session of ${provider} is being stopped`)];
  return [
    line(as('warn', `   the session of ${provider} was not stopped: this server does not run it`)),
    line('   it has ended, or belongs to an agent: stop that in the agent'),
    line(
      '   ',
      as('accent', `signalbox cancel --session ${sessionId}`),
      muted('   cancels its open commands'),
    ),
  ];
}
