import { type Approver, CallHash, CallPreview, CommandId, JsonObject } from '@signalbox/core';
import type { ApprovalAnswer } from '@signalbox/coordinator';
import * as z from 'zod';
import { approverOf } from '../access/approver-of.ts';
import { checkMay, visitorOfRequest } from '../access/authenticate.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
import { answerOf, Seen } from './answer.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

const Id = z.object({ id: CommandId });
const Waiting = z
  .strictObject({
    command: CommandView,
  })
  .meta({ id: 'WaitingApproval' });

/** A week. */
const MOST_MORE_MS = 7 * 86_400_000;

const Refusal = z.strictObject({
  ...Seen,
  reason: z.string().min(1).max(2000).optional(),
  stopSession: z
    .boolean()
    .optional()
    .describe('No new turns and calls of its session, and what runs is stopped; takes an operator'),
});
const RefusedCommand = z
  .strictObject({
    ...CommandView.unwrap().shape,
    sessionStopped: z
      .boolean()
      .optional()
      .describe(
        'With `stopSession`: false where none of its id is led here, which is over or an agent’s own',
      ),
  })
  .meta({ id: 'RefusedCommand' });

/** Who waits for a person, and the person's answer. */
export function approvalRoutes(app: Routes, { coordinator, views }: RouteParts): void {
  const { approvals } = coordinator;

  app.get(
    '/api/approvals',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Commands that wait for a person, least time left first',
        tags: ['approvals'],
        response: { 200: z.strictObject({ approvals: z.array(Waiting) }), default: Problem },
      },
    },
    async () => ({ approvals: (await approvals.pending()).map((record) => ({ command: views.of(record) })) }),
  );

  app.get(
    '/api/approvals/:id/preview',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'What a pending call would do',
        description:
          'Looked up without running any of it: files a deletion removes, the diff of a commit or an edit, remote and ' +
          'commits of a push, the text of a script, and whether it can be undone. What can’t be told is a part of ' +
          'kind `unavailable`, with the reason. Secrets are redacted.',
        tags: ['approvals'],
        params: Id,
        response: { 200: CallPreview, default: Problem },
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
    '/api/approvals/:id/grant',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Approve a call, once',
        description:
          'Where the question had expired, the next identical call of that provider uses the answer.',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject(Seen),
        response: { 200: CommandView, default: Problem },
      },
    },
    (request) => answer(request.params.id, { kind: 'approve' }, request.body.callHash, approverOf(request)),
  );

  app.post(
    '/api/approvals/:id/refuse',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Refuse a call',
        description:
          'The provider reads the reason and goes on, unless its session is to end too. Where the question had expired, the next identical call is denied.',
        tags: ['approvals'],
        params: Id,
        body: Refusal,
        response: { 200: RefusedCommand, default: Problem },
      },
    },
    async (request) => {
      const { callHash, reason, stopSession = false } = request.body;
      if (stopSession) checkMay(visitorOfRequest(request), ['operate']);
      const why = reason === undefined ? {} : { reason };
      const refusal = { kind: 'deny', ...why, stopsSession: stopSession } as const;
      const told = await answerOf(coordinator, request.params.id, refusal, callHash, approverOf(request));
      const { sessionStopped } = told.kind === 'refused' ? told : {};
      return { ...views.of(told.record), ...(sessionStopped === undefined ? {} : { sessionStopped }) };
    },
  );

  app.post(
    '/api/approvals/:id/extend',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Give a question more time; decides nothing',
        description: 'Counted from its expiry, or from now where that is over and its session is paused.',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject({ ...Seen, ms: z.int().min(1000).max(MOST_MORE_MS).describe('Milliseconds') }),
        response: { 200: CommandView, default: Problem },
      },
    },
    (request) => {
      const { callHash, ms } = request.body;
      return answer(request.params.id, { kind: 'extend', ms }, callHash, approverOf(request));
    },
  );

  app.post(
    '/api/approvals/:id/modify',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Approve a call with other arguments',
        description:
          'Judged again first; nothing is granted that the policy denies, or that is not what `judge` showed.',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject({
          ...Seen,
          args: JsonObject,
          shown: CallHash.describe('`approval.callHash` of what `judge` answered to these arguments'),
        }),
        response: { 200: CommandView, default: Problem },
      },
    },
    (request) => {
      const { callHash, args, shown } = request.body;
      return answer(request.params.id, { kind: 'modify', args, shown }, callHash, approverOf(request));
    },
  );

  app.post(
    '/api/approvals/:id/judge',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'What a call with other arguments would be judged; decides nothing',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject({ args: JsonObject }),
        response: { 200: CommandView, default: Problem },
      },
    },
    async (request) => {
      const judged = await approvals.judge(request.params.id, request.body.args);
      if ('id' in judged) return views.of(judged);
      throw new RequestRefusedError(409, judged.code, judged.message, { why: judged.why ?? [] });
    },
  );

  async function answer(id: CommandId, what: ApprovalAnswer, seen: CallHash, by: Approver) {
    return views.of((await answerOf(coordinator, id, what, seen, by)).record);
  }
}
