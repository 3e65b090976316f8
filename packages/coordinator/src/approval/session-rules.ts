import {
  canonicalJson,
  type CommandRecord,
  type EventLog,
  type Facts,
  Json,
  JsonObject,
  type Logger,
  NodeId,
  type Nodes,
  SessionId,
  UsageError,
  UserRule,
} from '@signalbox/core';
import type { PolicyHolder } from '@signalbox/policy';
import * as z from 'zod';

/** Rules that a person created for one running session, in the format of `rules:`. */
export type SessionRules = {
  /**
   * The rule applies at once, to this session only, and ends with it.
   *
   * @throws {UsageError} `invalid-rule` if it is not an allow rule; `rule-exists` if the session has one of that name.
   */
  add(record: CommandRecord, written: Json): Promise<UserRule>;
  /** Removes it from any session. False if no session has a rule of that name. */
  remove(id: string): Promise<boolean>;
  stop(): void;
};

const KEY = 'session-rules';
const Stored = z
  .array(
    z.strictObject({
      session: SessionId,
      rule: JsonObject,
      /** The coordinator that leads the session, if the workspace has several. */
      by: NodeId.optional(),
    }),
  )
  .readonly();
export type StoredSessionRule = z.infer<typeof Stored>[number];

/** The session rules visible outside the coordinator's process; none if nothing can be read. */
export async function readSessionRules(facts: Pick<Facts, 'get'>): Promise<readonly StoredSessionRule[]> {
  return Stored.safeParse(await facts.get(KEY)).data ?? [];
}

/**
 * Sessions and their rules end with the process; stored rules are only for outside readers. Those of a coordinator that
 * died are removed by a living one.
 */
export function createSessionRules(options: {
  readonly policy: Pick<PolicyHolder, 'rulesOfSession' | 'setRulesOfSession'>;
  readonly facts: Facts;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly logger: Logger;
  /** Undefined if the workspace has one coordinator. */
  readonly members?: Pick<Nodes, 'self' | 'living' | 'onDead' | 'onReturned'> | undefined;
}): SessionRules {
  const { policy, facts, logger, members } = options;
  const written: StoredSessionRule[] = [];
  let storing: Promise<void> = store();

  async function store(): Promise<void> {
    try {
      for (;;) {
        const stored = await facts.get(KEY);
        const next = Json.parse([...(await ofOthers(stored)), ...written]);
        if (stored !== undefined && canonicalJson(next) === canonicalJson(stored)) return;
        if (await facts.compareAndSet(KEY, { expected: stored, value: next })) return;
      }
    } catch (error) {
      logger.warn({ error }, 'rules of sessions not stored');
    }
  }

  /** Rules of the other living coordinators. */
  async function ofOthers(stored: Json | undefined): Promise<readonly StoredSessionRule[]> {
    if (members === undefined) return [];
    const living = new Set<NodeId | undefined>((await members.living()).map(({ id }) => id));
    living.delete(members.self);
    return (Stored.safeParse(stored).data ?? []).filter(({ by }) => living.has(by));
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

  const closing = [
    options.events.subscribe((event) => {
      if (event.type === 'session_ended' && forget(({ session }) => session === event.sessionId)) void tell();
    }),
    ...(members === undefined
      ? []
      : [members.onDead(() => void tell()), members.onReturned(() => void tell())]),
  ];

  return {
    async add({ context: { sessionId } }, given) {
      const rule = allowRuleOf(given);
      const before = policy.rulesOfSession(sessionId);
      if (before.some(({ id }) => id === rule.id)) {
        throw new UsageError(
          'rule-exists',
          `Cannot add rule "${rule.id}": the session already has a rule with that name`,
        );
      }
      policy.setRulesOfSession(sessionId, [...before, rule]);
      const by = members === undefined ? {} : { by: members.self };
      written.push({ session: sessionId, rule: JsonObject.parse(given), ...by });
      await tell();
      return rule;
    },
    async remove(id) {
      const isGone = forget(({ rule }) => rule['id'] === id);
      if (isGone) await tell();
      return isGone;
    },
    stop() {
      for (const close of closing) close();
    },
  };
}

function allowRuleOf(written: Json): UserRule {
  const parsed = UserRule.safeParse(written);
  if (!parsed.success) {
    throw new UsageError('invalid-rule', 'Cannot add the rule: it is not a rule', {
      why: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()),
    });
  }
  if (parsed.data.ruling !== 'allow') {
    throw new UsageError('invalid-rule', 'Cannot add the rule: a session can only have allow rules');
  }
  return parsed.data;
}
