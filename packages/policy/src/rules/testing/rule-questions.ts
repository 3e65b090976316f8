import type { Ruling } from '@signalbox/core';
import { createPolicy } from '../../governance/create-policy.ts';
import type { Question } from '../../governance/question.ts';
import { BASH, PATH_CONTEXT, questionOf, settingsOf } from '../../governance/testing/question-builders.ts';
import { classifyLine } from '../../shell/classify-line.ts';

export type Changes = Parameters<typeof questionOf>[0];

/** A question about a shell line, with its real classification. */
export function lineQuestion(line: string, changes: Changes = {}): Question {
  const verdict = classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT });
  return questionOf({ tool: BASH, verdict, line, ...changes });
}

/** Kind and rule of the ruling under these rules: `deny no-publish`. */
export function rule(rules: unknown, question: Question, more: object = {}): string {
  const ruling: Ruling = createPolicy(settingsOf({ ...more, rules }), PATH_CONTEXT).rule(question);
  return `${ruling.kind} ${ruling.rule}`;
}
