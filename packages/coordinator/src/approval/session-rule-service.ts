import { type CommandId, type CommandStore, JsonObject, type SessionId, UsageError } from '@signalbox/core';
import type { CommandRunner } from '../command/command-runner.ts';
import type { SessionRuleService } from '../coordinator-api.ts';
import type { Leaders } from '../shared/leaders.ts';
import type { SessionRules } from './session-rules.ts';

/** Rules of one session, kept by the coordinator that leads it; callable on any coordinator. */
export function createSessionRuleService(parts: {
  readonly sessionRules: SessionRules;
  readonly store: Pick<CommandStore, 'get'>;
  readonly ledRunner: (id: CommandId) => Promise<CommandRunner | undefined>;
  /** Undefined if the workspace has no other coordinators. */
  readonly leaders?: Leaders | undefined;
}): SessionRuleService {
  const { sessionRules, store, ledRunner, leaders } = parts;
  return {
    async add(id, rule) {
      const runner = await ledRunner(id);
      const reported =
        runner === undefined
          ? await leaders?.tell(id, { kind: 'remember', id, rule: JsonObject.parse(rule) })
          : undefined;
      if (reported != null) return reported as { rule: string; session: SessionId };
      const record = runner?.record() ?? (await store.get(id));
      if (record === null) throw new UsageError('unknown-id', `Cannot add a rule for ${id}: no such command`);
      const added = await sessionRules.add(record, rule);
      return { rule: added.id, session: record.context.sessionId };
    },
    async remove(rule) {
      if (await sessionRules.remove(rule)) return true;
      return (await leaders?.askAll({ kind: 'forget', rule }, 'removed')) ?? false;
    },
  };
}
