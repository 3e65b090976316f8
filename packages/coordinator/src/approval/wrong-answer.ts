import { answerProblem, type CommandRecord, type Failure } from '@signalbox/core';
import type { ApprovalAnswer } from '../coordinator-api.ts';

/** Why a kind of answer does not fit what waits: an approval for a question, words for an approval. */
export function wrongAnswer({ approval }: CommandRecord, answer: ApprovalAnswer): Failure | undefined {
  const question = approval?.question;
  if (answer.kind === 'deny' || answer.kind === 'extend') return undefined;
  if (answer.kind !== 'answer') return question === undefined ? undefined : isQuestionFailure();
  if (question === undefined) {
    return invalid('not-a-question', 'Cannot answer in words: the call needs approval', 'Approve or deny it');
  }
  const problem = answerProblem(question, answer.text);
  return problem === null ? undefined : invalid('invalid-answer', `Cannot send the answer: ${problem}`);
}

/** A question can't be approved: it is answered in words. */
export function isQuestionFailure(): Failure {
  return invalid(
    'is-question',
    'Cannot approve: the model asks a question',
    'Answer it: signalbox answer ID "TEXT"',
  );
}

function invalid(code: string, message: string, suggestion?: string): Failure {
  return {
    code,
    category: 'InvalidParameters',
    message,
    visibility: 'visible',
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
