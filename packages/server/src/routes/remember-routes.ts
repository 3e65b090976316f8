import { CommandId, JsonObject } from '@signalbox/core';
import * as z from 'zod';
import { approverOf } from '../access/approver-of.ts';
import { visitorOfRequest } from '../access/authenticate.ts';
import { mayDo } from '../access/role.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
import { answerOf, Seen } from './answer.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

const Id = z.object({ id: CommandId });
const Rule = JsonObject.describe('As `rules:` of signalbox.yaml would hold it');
const Scope = z
  .enum(['session', 'local', 'workspace', 'user'])
  .describe('This session; this workspace, yours alone or shared; all your workspaces');

const Text = z.string().describe('Exactly what a file would hold, as YAML');

const Proposal = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rule'), rule: Rule, text: Text }),
  z.strictObject({ kind: z.literal('never'), why: z.string() }),
]);

/** What became of a rule that a person typed. */
export const Draft = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('fits'), rule: Rule, text: Text }),
    z.strictObject({ kind: z.literal('unfit'), why: z.string() }),
  ])
  .meta({ id: 'RuleDraft' });

/** "Always allow": a rule as narrow as the call, shown exactly before it is stored. */
export function rememberRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, services, views } = parts;

  app.get(
    '/api/approvals/:id/rule',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'A rule that would answer such a call from now on; stores nothing',
        tags: ['approvals'],
        params: Id,
        response: { 200: Proposal, default: Problem },
      },
    },
    async (request) =>
      services.rules.propose(await waiting(request.params.id), visitorOfRequest(request).name),
  );

  app.post(
    '/api/approvals/:id/rule',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Whether a typed rule would let this call run; stores nothing',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject({ text: z.string().min(1).max(20_000).describe('YAML, or JSON') }),
        response: { 200: Draft, default: Problem },
      },
    },
    async (request) => services.rules.check(await waiting(request.params.id), request.body.text),
  );

  app.post(
    '/api/approvals/:id/remember',
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Store a rule and approve the call',
        description: 'A rule for more than the session stands in a file: that takes an operator.',
        tags: ['approvals'],
        params: Id,
        body: z.strictObject({ ...Seen, rule: Rule, scope: Scope }),
        response: {
          200: z.strictObject({
            command: CommandView,
            stored: z.strictObject({ id: z.string(), where: z.string(), counts: z.boolean() }),
          }),
          default: Problem,
        },
      },
    },
    async (request) => {
      const { callHash, rule, scope } = request.body;
      const visitor = visitorOfRequest(request);
      if (scope !== 'session' && !mayDo(visitor.role, ['operate'])) {
        throw new RequestRefusedError(403, 'not-allowed', 'Cannot store a rule in a file as an approver', {
          next: ['a rule for this session alone', 'signalbox token create --role operator'],
        });
      }
      const record = await waiting(request.params.id);
      if (record.approval?.callHash !== callHash) {
        throw new RequestRefusedError(
          409,
          'changed-call',
          `Cannot answer ${record.id}: it is not the call that you saw`,
        );
      }
      const checked = await services.rules.check(record, JSON.stringify(rule));
      if (checked.kind === 'unfit') {
        throw new RequestRefusedError(400, 'unfit-rule', `Cannot use this rule: ${checked.why}`);
      }
      const stored = await services.rules.store(record, checked.rule, scope);
      // The rule counts from here on and may have answered the call already.
      const answered = await answerOf(
        coordinator,
        record.id,
        { kind: 'approve' },
        callHash,
        approverOf(request),
      ).catch(async (error: unknown) => {
        const now = await coordinator.status(record.id);
        if (now === null || now.state === 'awaiting_approval') throw error;
        return { record: now };
      });
      return { command: views.of(answered.record), stored };
    },
  );

  async function waiting(id: CommandId) {
    const record = await coordinator.status(id);
    if (record?.state === 'awaiting_approval') return record;
    if (record === null) throw unknownCommand(id);
    throw new RequestRefusedError(409, 'not-waiting', `Cannot answer ${id}: it does not wait for anybody`);
  }
}
