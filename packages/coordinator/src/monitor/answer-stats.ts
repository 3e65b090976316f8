import type { AgreedHosts, CommandRecord } from '@signalbox/core';
import type { AnswerStats } from '../coordinator-api.ts';
import { isCancelled, questionStatsOf, remedyOf } from './question-stats.ts';

export function answerStatsOf(records: readonly CommandRecord[], agreed: AgreedHosts): AnswerStats {
  return {
    approvals: approvalNumbers(records),
    questions: questionStatsOf(records),
    remedy: remedyOf(records, agreed),
    busiestFile: busiestFile(records),
  };
}

function approvalNumbers(records: readonly CommandRecord[]): AnswerStats['approvals'] {
  const approvals = records.flatMap(({ approval }) => (approval === null ? [] : [approval]));
  const answers = approvals
    .flatMap((one) => ('answeredAt' in one ? [one.answeredAt - one.requestedAt] : []))
    .toSorted((a, b) => a - b);
  const having = (status: string): number => approvals.filter((one) => one.status === status).length;
  return {
    granted: having('granted'),
    refused: having('refused'),
    expired: having('expired'),
    cancelled: records.filter(isCancelled).length,
    medianAnswerMs: answers[Math.floor(answers.length / 2)] ?? null,
  };
}

function busiestFile(records: readonly CommandRecord[]): AnswerStats['busiestFile'] {
  const changes = records.flatMap(({ result }) =>
    (result?.files ?? []).filter(({ kind }) => kind !== 'read'),
  );
  const [busiest] = [...Map.groupBy(changes, ({ path }) => path)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return busiest === undefined ? null : { path: busiest[0], changes: busiest[1].length };
}
