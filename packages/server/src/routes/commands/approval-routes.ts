import {
  answerQuestion,
  extendApproval,
  grantApproval,
  judgeApproval,
  listApprovals,
  modifyApproval,
  previewApproval,
  refuseApproval,
} from '@signalbox/api';
import { ReportedCode, type Approver, type CallHash, type CommandId } from '@signalbox/core';
import type { ApprovalAnswer } from '@signalbox/coordinator';
import { approverOf } from '../../access/approver-of.ts';
import { checkMay, visitorOfRequest } from '../../access/authenticate.ts';
import { RequestRefusedError } from '../../problem.ts';
import { answerOf } from './answer.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

/** Pending approvals, and their answers. */
export function approvalRoutes(app: Routes, { coordinator, views }: RouteParts): void {
  const { approvals } = coordinator;

  app.get(
    listApprovals.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Pending approvals and questions, least time left first',
        tags: ['approvals'],
        ...listApprovals.schema,
      },
    },
    async () => ({ approvals: (await approvals.pending()).map((record) => ({ command: views.of(record) })) }),
  );

  app.get(
    previewApproval.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'What a pending call would do',
        description:
          'Looked up without running any of it: files a deletion removes, the diff of a commit or an edit, remote and ' +
          'commits of a push, the text of a script, and whether it can be undone. What can’t be determined is a part of ' +
          'kind `unavailable`, with the reason. Secrets are redacted.',
        tags: ['approvals'],
        ...previewApproval.schema,
      },
    },
    async (request) => {
      const { id } = request.params;
      const preview = await approvals.preview(id);
      if (preview === null) throw unknownCommand(id);
      return preview;
    },
  );

  app.post(
    grantApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Approve a call, once',
        description: 'If the approval had expired, the next identical call of that provider uses the answer.',
        tags: ['approvals'],
        ...grantApproval.schema,
      },
    },
    (request) =>
      answer(
        request.params.id,
        { kind: 'approve' },
        { seen: request.body.callHash, by: approverOf(request) },
      ),
  );

  app.post(
    refuseApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Deny a call',
        description:
          'The provider reads the reason and continues, unless its session is stopped too. If the approval had expired, the next identical call is denied.',
        tags: ['approvals'],
        ...refuseApproval.schema,
      },
    },
    async (request) => {
      const { callHash, reason, stopSession = false } = request.body;
      if (stopSession) checkMay(visitorOfRequest(request), ['operate']);
      const why = reason === undefined ? {} : { reason };
      const refusal = { kind: 'deny', ...why, stopsSession: stopSession } as const;
      const reported = await answerOf(coordinator, request.params.id, {
        answer: refusal,
        seen: callHash,
        by: approverOf(request),
      });
      const { sessionStopped } = reported.kind === 'refused' ? reported : {};
      return { ...views.of(reported.record), ...(sessionStopped === undefined ? {} : { sessionStopped }) };
    },
  );

  app.post(
    answerQuestion.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Answer a question of a model',
        description:
          'For a call whose approval has a `question`: `ask_person`. The text is the result of the call, without secrets. ' +
          'Such a call can’t be granted; refusing it tells the model that nobody answers.',
        tags: ['approvals'],
        ...answerQuestion.schema,
      },
    },
    (request) => {
      const { callHash, text } = request.body;
      return answer(request.params.id, { kind: 'answer', text }, { seen: callHash, by: approverOf(request) });
    },
  );

  app.post(
    extendApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Extend an approval; decides nothing',
        description: 'Counted from its expiry, or from now if it has expired and its session is paused.',
        tags: ['approvals'],
        ...extendApproval.schema,
      },
    },
    (request) => {
      const { callHash, ms } = request.body;
      return answer(request.params.id, { kind: 'extend', ms }, { seen: callHash, by: approverOf(request) });
    },
  );

  app.post(
    modifyApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Approve a call with other arguments',
        description:
          'The call is re-checked first: it is not granted if the policy denies it, or if it differs from what `judge` showed.',
        tags: ['approvals'],
        ...modifyApproval.schema,
      },
    },
    (request) => {
      const { callHash, args, shown } = request.body;
      return answer(
        request.params.id,
        { kind: 'modify', args, shown },
        { seen: callHash, by: approverOf(request) },
      );
    },
  );

  app.post(
    judgeApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Ruling on the call with other arguments; decides nothing',
        tags: ['approvals'],
        ...judgeApproval.schema,
      },
    },
    async (request) => {
      const judged = await approvals.judge(request.params.id, request.body.args);
      if ('id' in judged) return views.of(judged);
      throw new RequestRefusedError(409, ReportedCode.parse(judged.code), judged.message, {
        why: judged.why ?? [],
      });
    },
  );

  async function answer(
    id: CommandId,
    what: ApprovalAnswer,
    { seen, by }: Readonly<{ seen: CallHash; by: Approver }>,
  ) {
    return views.of((await answerOf(coordinator, id, { answer: what, seen, by })).record);
  }
}
