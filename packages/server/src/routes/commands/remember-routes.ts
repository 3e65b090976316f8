import { checkRuleForCall, proposeRule, rememberApproval } from '@signalbox/api';
import { type CommandId, UnavailableError, UsageError } from '@signalbox/core';
import { approverOf } from '../../access/approver-of.ts';
import { visitorOfRequest } from '../../access/authenticate.ts';
import { mayDo } from '../../access/role.ts';
import { RequestRefusedError } from '../../problem.ts';
import { answerOf } from './answer.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

/** "Always allow": a rule as narrow as the call, shown exactly before it is stored. */
export function rememberRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, services, views } = parts;

  app.get(
    proposeRule.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Propose a rule that would allow such calls; stores nothing',
        tags: ['approvals'],
        ...proposeRule.schema,
      },
    },
    async (request) =>
      services.rules.propose(await waiting(request.params.id), visitorOfRequest(request).name),
  );

  app.post(
    checkRuleForCall.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Whether a typed rule would allow this call; stores nothing',
        tags: ['approvals'],
        ...checkRuleForCall.schema,
      },
    },
    async (request) => services.rules.check(await waiting(request.params.id), request.body.text),
  );

  app.post(
    rememberApproval.url,
    {
      config: { access: ['decide'] },
      schema: {
        summary: 'Approve the call, then store a rule',
        description:
          'A rule for more than the session is stored in a file, which requires the operator role.',
        tags: ['approvals'],
        ...rememberApproval.schema,
      },
    },
    async (request) => {
      const { callHash, rule, scope } = request.body;
      const visitor = visitorOfRequest(request);
      if (scope !== 'session' && !mayDo(visitor.role, ['operate'])) {
        throw new RequestRefusedError(403, 'not-allowed', 'Cannot store a rule in a file as an approver', {
          next: ['a rule for only this session', 'signalbox token create --role operator'],
        });
      }
      const record = await waiting(request.params.id);
      if (record.approval?.callHash !== callHash) {
        throw new RequestRefusedError(
          409,
          'changed-call',
          `Cannot answer ${record.id}: it is not the call you were shown`,
        );
      }
      const checked = await services.rules.check(record, JSON.stringify(rule), { scope });
      if (checked.kind === 'unfit') {
        throw new RequestRefusedError(400, 'unfit-rule', `Cannot use this rule: ${checked.why}`);
      }
      // The rule would answer the call without an approver, or change the call that was seen.
      const by = approverOf(request);
      const answered = await answerOf(coordinator, record.id, {
        answer: { kind: 'approve' },
        seen: callHash,
        by,
      });
      const command = views.of(answered.record);
      if (answered.record.state === 'awaiting_approval')
        return { command, stored: null, notStored: 'the call still needs another approval' };
      try {
        const stored = await services.rules.store(record, checked.rule, { scope });
        return { command, stored, notStored: null };
      } catch (error) {
        if (!(error instanceof UsageError || error instanceof UnavailableError)) throw error;
        return { command, stored: null, notStored: error.message };
      }
    },
  );

  async function waiting(id: CommandId) {
    const record = await coordinator.status(id);
    if (record?.state === 'awaiting_approval') return record;
    if (record === null) throw unknownCommand(id);
    throw new RequestRefusedError(409, 'not-waiting', `Cannot answer ${id}: it is not pending approval`);
  }
}
