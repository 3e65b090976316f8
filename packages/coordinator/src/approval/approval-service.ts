import type { Approver, CallHash, CommandId, CommandRecord, CommandStore, Failure } from '@signalbox/core';
import { CallPreview, failureOf, JsonObject } from '@signalbox/core';
import type { GrantAnswer } from '../command/command-event.ts';
import type { CommandRunner } from '../command/command-runner.ts';
import type { RunnerDependencies } from '../command/runner-dependencies.ts';
import type { AnswerOutcome, ApprovalAnswer, ApprovalService, Coordinator } from '../coordinator-api.ts';
import type { ControlMessage } from '../shared/control-messages.ts';
import type { LateAnswers } from './late-answers.ts';
import type { Previews } from '../preview/previews.ts';
import type { Leaders } from '../shared/leaders.ts';
import { isQuestionFailure, wrongAnswer } from './wrong-answer.ts';

type Changed = Awaited<ReturnType<RunnerDependencies['judge']>>;

/** Accepts people's answers, whichever client they come from (E1–E7, E9). */
export function createApprovalService(parts: {
  readonly store: CommandStore;
  /** For reads that decide nothing. */
  readonly reported: Pick<CommandStore, 'list'>;
  readonly runnerOf: (id: CommandId) => CommandRunner | undefined;
  /** Resolves once it is known which earlier commands are led here. */
  readonly ledRunner: (id: CommandId) => Promise<CommandRunner | undefined>;
  readonly judge: RunnerDependencies['judge'];
  readonly gates: RunnerDependencies['gates'];
  readonly ask: RunnerDependencies['ask'];
  readonly previews: Previews;
  /** Undefined if the workspace has no other coordinators. */
  readonly leaders?: Pick<Leaders, 'tell'> | undefined;
  readonly stopSession: Coordinator['stopSession'];
  /** Stores answers to expired approvals; undefined if they count for nothing. */
  readonly late: LateAnswers | undefined;
}): ApprovalService {
  const { store, runnerOf } = parts;

  function judgeChanged(record: CommandRecord, args: Readonly<Record<string, unknown>>): Promise<Changed> {
    const { callId, tool } = record.call;
    return parts.judge({ callId, tool, args }, record.context);
  }

  /**
   * The reason why it can't be answered any more: an earlier answer, or the person saw another call. `undefined` if it
   * can.
   */
  function tooLate(record: CommandRecord, expect: CallHash): AnswerOutcome | undefined {
    const { approval } = record;
    if (approval === null) return { kind: 'unknown' };
    if (record.state !== 'awaiting_approval' || approval.status !== 'pending') {
      return { kind: 'already-decided', approval };
    }
    return approval.callHash === expect ? undefined : { kind: 'changed', callHash: approval.callHash };
  }

  return {
    async pending() {
      const waiting = await parts.reported.list({ states: ['awaiting_approval'], limit: 1000 });
      const open = waiting.filter(({ approval }) => approval?.status === 'pending');
      return open.toSorted((a, b) => (a.approval?.expiresAt ?? 0) - (b.approval?.expiresAt ?? 0));
    },

    async answer(id, answer, { by, expect }) {
      const runner = await parts.ledRunner(id);
      if (runner === undefined) {
        const reply = await parts.leaders?.tell(id, messageOf(id, answer, { by, expect }));
        if (reply != null) return reply as unknown as AnswerOutcome;
        const stored = await store.get(id);
        if (stored === null) return { kind: 'unknown' };
        return (
          (await answerLate(stored, { answer, by, expect })) ?? tooLate(stored, expect) ?? { kind: 'unknown' }
        );
      }
      const now = await runner.afterStep();
      const decided = tooLate(now, expect);
      if (decided !== undefined) return decided;
      const failure = wrongAnswer(now, answer);
      if (failure !== undefined) return { kind: 'not-approvable', failure };
      const answered = await decide(runner, { answer, by, expect });
      if (answered.kind !== 'closed') return answered;
      // It may have expired at this very moment.
      const request = { answer, by, expect };
      return (
        (await answerLate(runner.record(), request)) ??
        tooLate(runner.record(), expect) ?? { kind: 'unknown' }
      );
    },

    async judge(id, args) {
      const record = runnerOf(id)?.record() ?? (await store.get(id));
      if (record === null) {
        return {
          code: 'unknown',
          category: 'InvalidParameters',
          message: `No command ${id}`,
          visibility: 'visible',
        };
      }
      if (record.approval?.question !== undefined) return isQuestionFailure();
      const judgement = await judgeChanged(record, args);
      if (judgement.kind === 'judged' && judgement.ruling.kind !== 'deny') {
        const next = { ...record, ...judgement.judged, ruling: judgement.ruling };
        const approvers = next.ruling.kind === 'ask' ? next.ruling.approvers : 1;
        const { callHash } = judgement.judged;
        return { ...next, approval: await parts.ask(next, { callHash, approvers, why: undefined }) };
      }
      return refusalOf(judgement);
    },

    async preview(id) {
      const runner = runnerOf(id);
      if (runner === undefined) {
        const reply = await parts.leaders?.tell(id, { kind: 'preview', id });
        if (reply != null) return CallPreview.parse(reply);
      }
      const record = runner?.record() ?? (await store.get(id));
      return record === null || record.state === 'done' ? null : parts.previews.of(record);
    },
  };

  /** Stores an answer to an approval that expired unanswered; undefined if it is not such an approval. */
  async function answerLate(
    record: CommandRecord,
    { answer, by, expect }: { answer: ApprovalAnswer; by: Approver; expect: CallHash },
  ): Promise<AnswerOutcome | undefined> {
    const { approval, id, context } = record;
    if (
      parts.late === undefined ||
      approval?.status !== 'expired' ||
      approval.answerable !== true ||
      approval.callHash !== expect
    )
      return undefined;
    if (answer.kind !== 'approve' && answer.kind !== 'deny') return undefined;
    const reason = answer.kind === 'deny' && answer.reason !== undefined ? { reason: answer.reason } : {};
    const question = { callHash: expect, provider: context.provider, command: id };
    await parts.late.add({ ...question, kind: answer.kind, ...reason, by: [by] });
    return { kind: 'late', record };
  }

  async function decide(
    runner: CommandRunner,
    { answer, by, expect }: { answer: ApprovalAnswer; by: Approver; expect: CallHash },
  ): Promise<AnswerOutcome | { kind: 'closed' }> {
    if (answer.kind === 'deny') {
      if (!(await runner.refuse(by, expect, { reason: answer.reason }))) return { kind: 'closed' };
      const record = runner.record();
      if (answer.stopsSession !== true) return { kind: 'refused', record };
      const sessionStopped = await parts.stopSession(record.context.sessionId, by.name);
      return { kind: 'refused', record, sessionStopped };
    }
    if (answer.kind === 'answer') {
      const isAnswered = await runner.answerQuestion(by, expect, { text: answer.text });
      return isAnswered ? { kind: 'answered', record: runner.record() } : { kind: 'closed' };
    }
    if (answer.kind === 'extend') {
      const expiresAt = await runner.extend(by, expect, { ms: answer.ms });
      return expiresAt === null ? { kind: 'closed' } : { kind: 'extended', record: runner.record() };
    }
    if (answer.kind === 'approve') return reported(await runner.grant(by, expect), runner.record());
    const judgement = await judgeChanged(runner.record(), answer.args);
    if (judgement.kind === 'rejected' || judgement.ruling.kind === 'deny') {
      return { kind: 'not-approvable', failure: refusalOf(judgement) };
    }
    const { context } = runner.record();
    const call = { ...judgement.judged, context };
    const asked = { call, signal: new AbortController().signal };
    // A person wants this call, whether or not it tells anything new.
    const asking = parts.gates.of(call).filter(({ name }) => name !== 'utility');
    const { failure, decisions: gates } = await parts.gates.ask(asking, asked);
    if (failure !== undefined) return { kind: 'not-approvable', failure };
    const changed = { ...judgement, shown: answer.shown, gates };
    return reported(await runner.grant(by, expect, changed), runner.record());
  }
}

/** The same answer as a control request to the coordinator that leads the command. */
function messageOf(
  id: CommandId,
  answer: ApprovalAnswer,
  { by, expect }: Readonly<{ by: Approver; expect: CallHash }>,
): ControlMessage {
  switch (answer.kind) {
    case 'approve':
    case 'deny':
    case 'answer':
    case 'extend':
      return { ...answer, id, by, expect };
    case 'modify': {
      const args = JsonObject.parse(JSON.parse(JSON.stringify(answer.args)));
      return { kind: 'approve', id, by, expect, change: { args, shown: answer.shown } };
    }
  }
}

function reported(answer: GrantAnswer, record: CommandRecord): AnswerOutcome | { kind: 'closed' } {
  return answer.kind === 'closed' || answer.kind === 'changed' ? answer : { ...answer, record };
}

function refusalOf(judgement: Changed): Failure {
  const failure =
    judgement.kind === 'rejected'
      ? failureOf(judgement.outcome)
      : judgement.ruling.kind === 'deny'
        ? judgement.ruling.failure
        : undefined;
  return (
    failure ?? {
      code: 'not-approvable',
      category: 'PolicyBlocked',
      message: 'This call may not be approved',
      visibility: 'visible',
    }
  );
}
