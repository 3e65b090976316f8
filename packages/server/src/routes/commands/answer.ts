import { type Approval, ReportedCode, type Approver, type CallHash, type CommandId } from '@signalbox/core';
import type { AnswerOutcome, ApprovalAnswer, Coordinator } from '@signalbox/coordinator';
import { RequestRefusedError } from '../../problem.ts';
import { unknownCommand } from './unknown-command.ts';

/** Answers an approval for a visitor; a grant may be the first of two. */
export async function answerOf(
  { approvals }: Pick<Coordinator, 'approvals'>,
  id: CommandId,
  { answer, seen, by }: Readonly<{ answer: ApprovalAnswer; seen: CallHash; by: Approver }>,
): Promise<Answered> {
  const outcome = await approvals.answer(id, answer, { by, expect: seen });
  if (isAnswered(outcome)) return outcome;
  throw notAnswered(id, outcome);
}

type Answered = Extract<
  AnswerOutcome,
  { readonly kind: 'granted' | 'refused' | 'answered' | 'counted' | 'extended' | 'late' }
>;

const ANSWERED: ReadonlySet<string> = new Set([
  'granted',
  'refused',
  'answered',
  'counted',
  'extended',
  'late',
]);

function isAnswered(outcome: AnswerOutcome): outcome is Answered {
  return ANSWERED.has(outcome.kind);
}
type NotAnswered = Exclude<AnswerOutcome, Answered>;

const DECIDED: Readonly<Record<Approval['status'], string>> = {
  pending: 'the command finished without an answer',
  granted: 'the command was already approved',
  refused: 'the command was already denied',
  expired: 'its approval request has expired',
};

function notAnswered(id: CommandId, outcome: NotAnswered | AnswerOutcome): RequestRefusedError {
  const cannot = `Cannot answer ${id}`;
  switch (outcome.kind) {
    case 'already-decided': {
      const { approval } = outcome;
      const who = 'by' in approval ? ` by ${approval.by.name}` : '';
      return refused('already-decided', `${cannot}: ${DECIDED[approval.status]}${who}`, { why: [] });
    }
    case 'same-person':
      return refused('same-person', `${cannot}: you already approved it; another person must, too`, {
        why: [],
      });
    case 'files-changed':
      return refused(
        'files-changed',
        `${cannot}: a file covered by the approval has changed since the request`,
        { why: outcome.paths, next: ['look at it again and answer with its new hash'] },
      );
    case 'changed':
      return refused('changed-call', `${cannot}: it is not the call you were shown`, {
        why: [],
        next: ['look at it again and answer with its new hash'],
      });
    case 'not-approvable': {
      const { code, message, why = [], suggestion } = outcome.failure;
      return refused(code, message, { why, next: suggestion === undefined ? [] : [suggestion] });
    }
    case 'granted':
    case 'refused':
    case 'answered':
    case 'counted':
    case 'extended':
    case 'late':
    case 'unknown':
      return unknownCommand(id);
  }
}

function refused(
  code: string,
  message: string,
  { why, next = [] }: Readonly<{ why: readonly string[]; next?: readonly string[] }>,
): RequestRefusedError {
  return new RequestRefusedError(409, ReportedCode.parse(code), message, { why, next });
}
