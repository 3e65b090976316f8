import { type Access, type SessionId, shortId, type UserRule } from '@signalbox/core';
import type { Policy } from './create-policy.ts';
import type { Question } from './question.ts';

/** A policy that can be replaced in one step: no call is ever judged by parts of both (C10). */
export type PolicyHolder = Policy & {
  /** False when it decides as the present one does. */
  swap(next: Policy): boolean;
  /** Rules that a person made for one session, oldest first; other sessions are judged without them. */
  rulesOfSession(session: SessionId): readonly UserRule[];
  /** Replaces the session's rules; they apply at once, and outlive a swap. Empty when it has ended. */
  setRulesOfSession(session: SessionId, rules: readonly UserRule[]): void;
};

type OfSession = { readonly rules: readonly UserRule[]; readonly policy: Policy };

/** Number of remembered versions; a call judged by an older one is denied when its turn comes. */
const MOST_EARLIER = 50;

export function createPolicyHolder(first: Policy): PolicyHolder {
  let current = first;
  let earlier: readonly string[] = [];
  const sessions = new Map<SessionId, OfSession>();

  function policyFor({ context }: Question): Policy {
    return sessions.get(context.sessionId)?.policy ?? current;
  }

  return {
    get version() {
      return current.version;
    },
    get earlier() {
      return earlier;
    },
    rules: {
      holdsBack: (question) => policyFor(question).rules.holdsBack(question),
      lifts: (question) => policyFor(question).rules.lifts(question),
      hits: (question) => policyFor(question).rules.hits(question),
    },
    rule: (question) => policyFor(question).rule(question),
    limits: (question) => current.limits(question),
    rates: (question) => current.rates(question),
    sizeLimit: (tool, access) => current.sizeLimit(tool, access),
    timeoutOf: (tool) => current.timeoutOf(tool),
    get agreedHosts() {
      return current.agreedHosts;
    },
    isDenied: Object.assign((path: string, access: Access) => current.isDenied(path, access), {
      basis: () => current,
    }),
    get readView() {
      return current.readView;
    },
    offerObstacle: (tool, circumstances) => current.offerObstacle(tool, circumstances),
    checkMode: (question) => current.checkMode(question),
    checkVerdict: (question) => current.checkVerdict(question),
    checkPaths: (question) => current.checkPaths(question),
    checkSizes: (question) => current.checkSizes(question),
    checkApproval: (question) => current.checkApproval(question),
    with: (more) => current.with(more),
    swap(next) {
      const isOther = next.version !== current.version;
      if (isOther) earlier = [current.version, ...earlier].slice(0, MOST_EARLIER);
      // Also for an equal policy: its rules may be on other lines.
      current = next;
      for (const [session, { rules }] of sessions) sessions.set(session, { rules, policy: next.with(rules) });
      return isOther;
    },
    rulesOfSession: (session) => sessions.get(session)?.rules ?? [],
    setRulesOfSession(session, given) {
      const rules = given.map((rule): UserRule => ({
        ...rule,
        ...sourceOfSession(session),
        isTrusted: true,
      }));
      if (rules.length === 0) sessions.delete(session);
      else sessions.set(session, { rules, policy: current.with(rules) });
    },
  };
}

/** A person at this terminal made it for this session; it is in no file. */
function sourceOfSession(session: SessionId): Pick<UserRule, 'layer' | 'source' | 'file'> {
  const source = `session ${shortId(session)}`;
  return { layer: 'session', source, file: source };
}
