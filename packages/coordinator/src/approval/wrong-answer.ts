import { answerProblem, type CommandRecord, type Failure } from '@signalbox/core';
import type { ApprovalAnswer } from '../coordinator-api.ts';

/** Why a kind of answer does not fit what waits: an approval for a question, words for an approval. */
export function wrongAnswer({ approval }: CommandRecord, answer: ApprovalAnswer): Failure | undefined {
  const question = approval?.question;
  if (answer.kind === 'deny' || answer.kind === 'extend') return undefined;
  if (answer.kind !== 'answer') return question === undefined ? undefined : isQuestionFailure();
  if (question === undefined) {
    return invalid('not-a-question', {
      message: 'Cannot answer in words: the call needs approval',
      suggestion: 'Approve or deny it',
    });
  }
  const problem = answerProblem(question, answer.text);
  if (problem === null) return undefined;
  return invalid('invalid-answer', { message: `Cannot send the answer: ${problem}` });
}

/** A question can't be approved: it is answered in words. */
export function isQuestionFailure(): Failure {
  return invalid('is-question', {
    message: 'Cannot approve: the model asks a question',
    suggestion: 'Answer it: signalbox answer ID "TEXT"',
  });
}

function invalid(code: string, told: Pick<Failure, 'message' | 'suggestion'>): Failure {
  return { code, category: 'InvalidParameters', visibility: 'visible', ...told };
}
