import {
  type CommandRecord,
  type EventLog,
  type Facts,
  Json,
  JsonObject,
  type Logger,
  MemberId,
  SessionId,
  UsageError,
  UserRule,
} from '@signalbox/core';
import type { PolicyHolder } from '@signalbox/policy';
import * as z from 'zod';

/** Rules that a person made for one session while it was at work, as `rules:` would hold them. */
export type SessionRules = {
  /**
   * They count at once, for this session alone, and end with it.
   *
   * @throws {UsageError} `invalid-rule` for what is no allow rule; `rule-exists` when the session has one of that name.
   */
  add(record: CommandRecord, written: Json): Promise<UserRule>;
  /** From whatever session. False when none has a rule of that name. */
  remove(id: string): Promise<boolean>;
  stop(): void;
};

const KEY = 'session-rules';
const Stored = z
  .array(
    z.strictObject({
      session: SessionId,
      rule: JsonObject,
      /** The coordinator that leads the session, where a workspace has several. */
      by: MemberId.optional(),
    }),
  )
  .readonly();
export type StoredSessionRule = z.infer<typeof Stored>[number];

/** What is known of them outside the coordinator's process; none when nothing can be read. */
export async function readSessionRules(facts: Pick<Facts, 'get'>): Promise<readonly StoredSessionRule[]> {
  return Stored.safeParse(await facts.get(KEY)).data ?? [];
}

/** Sessions don't outlive the process, nor do their rules: the stored ones are only for who looks from outside. */
export function createSessionRules(options: {
  readonly policy: Pick<PolicyHolder, 'rulesOfSession' | 'setRulesOfSession'>;
  readonly facts: Facts;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly logger: Logger;
  /** This coordinator, where the workspace has several. */
  readonly self?: MemberId | undefined;
}): SessionRules {
  const { policy, facts, logger, self } = options;
  const written: StoredSessionRule[] = [];
  let storing: Promise<void> = store();

  async function store(): Promise<void> {
    try {
      for (;;) {
        const stored = await facts.get(KEY);
        const others = self === undefined ? [] : (Stored.safeParse(stored).data ?? []);
        const all = [...others.filter(({ by }) => by !== self), ...written];
        if (await facts.compareAndSet(KEY, stored, Json.parse(all))) return;
      }
    } catch (error) {
      logger.warn({ error }, 'rules of sessions not stored');
    }
  }

  function tell(): Promise<void> {
    storing = storing.then(store);
    return storing;
  }

  function forget(isMeant: (one: StoredSessionRule) => boolean): boolean {
    const gone = written.filter(isMeant);
    for (const one of gone) {
      written.splice(written.indexOf(one), 1);
      const left = policy.rulesOfSession(one.session).filter(({ id }) => id !== one.rule['id']);
      policy.setRulesOfSession(one.session, left);
    }
    return gone.length > 0;
  }

  const unsubscribe = options.events.subscribe((event) => {
    if (event.type === 'session_ended' && forget(({ session }) => session === event.sessionId)) void tell();
  });

  return {
    async add({ context: { sessionId } }, given) {
      const rule = allowRuleOf(given);
      const before = policy.rulesOfSession(sessionId);
      if (before.some(({ id }) => id === rule.id)) {
        throw new UsageError('rule-exists', `Cannot add rule "${rule.id}": the session has one of that name`);
      }
      policy.setRulesOfSession(sessionId, [...before, rule]);
      const by = self === undefined ? {} : { by: self };
      written.push({ session: sessionId, rule: JsonObject.parse(given), ...by });
      await tell();
      return rule;
    },
    async remove(id) {
      const isGone = forget(({ rule }) => rule['id'] === id);
      if (isGone) await tell();
      return isGone;
    },
    stop: unsubscribe,
  };
}

function allowRuleOf(written: Json): UserRule {
  const parsed = UserRule.safeParse(written);
  if (!parsed.success) {
    throw new UsageError('invalid-rule', 'Cannot add the rule: it is none', {
      why: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()),
    });
  }
  if (parsed.data.ruling !== 'allow') {
    throw new UsageError('invalid-rule', 'Cannot add the rule: a session is given rules that allow');
  }
  return parsed.data;
}
