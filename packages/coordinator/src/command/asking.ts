import {
  type Approval,
  type Approver,
  type CallHash,
  type CommandRecord,
  InvariantError,
  type PendingApproval,
  type Ruling,
} from '@signalbox/core';
import type { LateAnswer } from '../approval/late-answers.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { CommandEvent } from './command.machine.ts';
import type { Ending } from './ending.ts';
import type { LifeParts, Why } from './life-parts.ts';
import { denial } from './outcome-of.ts';
import type { RecordKeeper } from './record-keeper.ts';

/** What became of one person's yes. */
export type GrantAnswer =
  /** All yeses that it needs are there: it goes on. */
  | { readonly kind: 'granted' }
  /** One more person must say yes. */
  | { readonly kind: 'counted' }
  /** This person has said yes already; another one must. */
  | { readonly kind: 'same-person' }
  /** What it would touch is not what the person was shown: the question was put anew. */
  | { readonly kind: 'files-changed'; readonly paths: readonly string[] }
  /** The changed call, or a file that it would touch, is not what the person was shown. */
  | { readonly kind: 'changed'; readonly callHash: CallHash }
  /** No such question is open. */
  | { readonly kind: 'closed' };

/** A call that a person changed, judged and not denied; `shown`: the hash of the question that they saw of it. */
export type Changed = Judgement & { readonly kind: 'judged'; readonly shown: CallHash };

/** The question of one command to people: asked, asked again, answered, expired. Each method is one step of its life. */
export type Asking = {
  /** @param again why it is asked once more; absent: it never was. */
  ask(ruling: Ruling, before: readonly CommandEvent[], again?: Why): Promise<void>;
  /** The question is stored: waits for its answer, also after a restart. */
  wait(): void;
  /** The policy has changed: the open question is asked anew under the new one, is answered by it, or the call refused. */
  askUnderNewPolicy(): Promise<void>;
  grant(by: Approver, expect: CallHash, changed?: Changed): Promise<GrantAnswer>;
  /** Pushes its expiry back; the new one, or null when no such question is open. */
  extend(by: Approver, expect: CallHash, ms: number): Promise<number | null>;
  /** False when no such question is open. */
  refuse(by: Approver, expect: CallHash, reason: string | undefined): Promise<boolean>;
  /** No timer of it is left. */
  stop(): void;
};

/** Timers go no further; a longer question is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const POLICY: Why = { because: 'policy', paths: [] };

export function createAsking(
  parts: LifeParts,
  options: {
    readonly keeper: RecordKeeper;
    readonly ending: Pick<Ending, 'end' | 'collapse'>;
    /** For a step that nobody waits for. */
    readonly inBackground: (task: () => Promise<void>) => void;
    /** It rests now, until somebody answers. */
    readonly onWaiting: () => void;
    /** It may go on. */
    readonly goOn: () => Promise<void>;
    /** Signalbox stops: what is stored stays for the next start. */
    readonly isStopping: () => boolean;
  },
): Asking {
  const { clock } = parts;
  const { keeper, ending, inBackground, isStopping } = options;
  const { current, step } = keeper;
  const { id, context } = current();
  let cancelExpiry: () => void = () => undefined;

  async function ask(ruling: Ruling, before: readonly CommandEvent[], why?: Why): Promise<void> {
    const asked = keeper.preview(before);
    const failure = await parts.precheck(asked);
    if (failure !== undefined) return ending.end(failure, { before, ...withdrawn(asked) });
    if (context.asking === 'never') return ending.end(parts.nobodyToAsk(), { before, ruling });
    const callHash = parts.hashNow(asked) ?? asked.callHash;
    if (callHash === null) throw new InvariantError(`Cannot ask about ${id}: it was never judged`);
    const approval = await parts.ask(asked, { callHash, approvers: approversOf(ruling), why });
    const put: CommandEvent = { type: 'ruling.asked', ruling, callHash, approval };
    const late = await parts.takeLate(asked, approval);
    if (late !== undefined) return useLate(late, approval, [...before, put]);
    await step([...before, put]);
    wait();
  }

  /** The same question had expired once, and was answered then: nobody is asked again. */
  async function useLate(
    { kind, by, reason }: LateAnswer,
    approval: PendingApproval,
    before: readonly CommandEvent[],
  ): Promise<void> {
    const at = clock.now();
    const [last, ...others] = by.toReversed();
    if (last === undefined) throw new InvariantError(`Cannot answer ${id}: its late answer names nobody`);
    if (kind === 'deny') {
      const why = reason === undefined ? {} : { reason };
      parts.answered.refused(current(), last);
      const refused = { ...approval, ...why, status: 'refused', by: last, answeredAt: at } as const;
      return ending.end(parts.refused(last, reason), { before, approval: refused });
    }
    const counted = others
      .toReversed()
      .map((one): CommandEvent => ({ type: 'approval.counted', at, by: one }));
    await step([...before, ...counted, { type: 'approval.granted', by: last, at }]);
    parts.answered.granted(current());
    return options.goOn();
  }

  function open(): PendingApproval | undefined {
    const { state, approval } = current();
    return state === 'awaiting_approval' && approval?.status === 'pending' ? approval : undefined;
  }

  function wait(): void {
    options.onWaiting();
    cancelExpiry();
    if (open()?.pausedAt !== undefined) return;
    const leftMs = (open()?.expiresAt ?? 0) - clock.now();
    cancelExpiry = clock.timer(Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS), () => inBackground(expire));
  }

  async function expire(): Promise<void> {
    const approval = open();
    if (approval === undefined || isStopping()) return;
    if (clock.now() < approval.expiresAt) return wait();
    if (parts.pausesOnExpiry && context.pausesOnExpiry === true) {
      return step([{ type: 'approval.paused', at: clock.now() }]);
    }
    const late = parts.pausesOnExpiry ? { answerable: true } : {};
    await ending.end(parts.expired(approval, id), {
      approval: { ...approval, ...late, status: 'expired' },
    });
  }

  /** The question that this answer is for, if it is still open: a timer may be late, after a sleep of the machine. */
  async function answerable(expect: CallHash): Promise<PendingApproval | undefined> {
    const approval = open();
    if (approval !== undefined && approval.pausedAt === undefined && clock.now() >= approval.expiresAt) {
      await expire().catch(ending.collapse);
    }
    const still = open();
    return still?.callHash === expect ? still : undefined;
  }

  async function grantAsAsked(question: PendingApproval, by: Approver): Promise<GrantAnswer> {
    if (question.grants.some((grant) => isSamePerson(grant.by, by))) return { kind: 'same-person' };
    const paths = await parts.changedSince(current(), question.base);
    if (paths.length > 0) {
      await ask(openRuling(), [], { because: 'files', paths });
      return { kind: 'files-changed', paths };
    }
    if (question.grants.length + 1 < question.approvers) {
      await step([{ type: 'approval.counted', by, at: clock.now() }]);
      return { kind: 'counted' };
    }
    await step([{ type: 'approval.granted', by, at: clock.now() }]);
    return { kind: 'granted' };
  }

  /** A changed call is another one: what others said of the first counts nothing for it. */
  async function grantChanged(by: Approver, { judged, ruling, shown }: Changed): Promise<GrantAnswer> {
    const next = { ...current(), ...judged };
    const approvers = approversOf(ruling);
    const why: Why = { because: 'call', paths: [] };
    const approval = await parts.ask(next, { callHash: judged.callHash, approvers, why });
    const { callHash } = approval;
    if (callHash !== shown) return { kind: 'changed', callHash };
    const change: CommandEvent = { type: 'call.changed', judged, ruling, approval };
    if (approvers > 1) {
      await step([change, { type: 'approval.counted', by, at: clock.now() }]);
      wait();
      return { kind: 'counted' };
    }
    await step([change, { type: 'approval.granted', by, at: clock.now() }]);
    return { kind: 'granted' };
  }

  function openRuling(): Ruling {
    const { ruling } = current();
    if (ruling === null) throw new InvariantError(`Cannot ask about ${id} again: it has no ruling`);
    return ruling;
  }

  return {
    ask,
    wait,

    async askUnderNewPolicy() {
      const approval = open();
      if (approval === undefined || isStopping()) return;
      if (parts.hashNow(current()) === current().callHash) return;
      const { ruling } = await parts.judgeAgain(current());
      if (ruling.kind === 'ask') return ask(ruling, [], POLICY);
      cancelExpiry();
      if (ruling.kind === 'deny') {
        return ending.end(denial(ruling), { ruling, approval: { ...approval, status: 'expired' } });
      }
      await step([{ type: 'ruling.allowed', ruling, at: clock.now() }]);
      return options.goOn();
    },

    async grant(by, expect, changed) {
      const question = await answerable(expect);
      if (question === undefined) return { kind: 'closed' };
      const answer = await (changed === undefined ? grantAsAsked(question, by) : grantChanged(by, changed));
      if (answer.kind === 'granted') {
        parts.answered.granted(current());
        cancelExpiry();
        inBackground(options.goOn);
      }
      return answer;
    },

    async extend(by, expect, ms) {
      const approval = await answerable(expect);
      if (approval === undefined) return null;
      const expiresAt = Math.max(approval.expiresAt, clock.now()) + ms;
      await step([{ type: 'approval.extended', by, expiresAt }]);
      wait();
      return expiresAt;
    },

    async refuse(by, expect, reason) {
      const approval = await answerable(expect);
      if (approval === undefined) return false;
      const why = reason === undefined ? {} : { reason };
      parts.answered.refused(current(), by);
      const refused = { ...approval, ...why, status: 'refused', by, answeredAt: clock.now() } as const;
      await ending.end(parts.refused(by, reason), { approval: refused }).catch(ending.collapse);
      return true;
    },

    stop: () => cancelExpiry(),
  };
}

/** A question that is still open when its call turns out to be in vain. */
function withdrawn({ approval }: CommandRecord): { approval?: Approval } {
  return approval?.status === 'pending' ? { approval: { ...approval, status: 'expired' } } : {};
}

/** How many people must say yes; a call that nobody need be asked about, once a person changed it, the one who did. */
function approversOf(ruling: Ruling): number {
  return ruling.kind === 'ask' ? ruling.approvers : 1;
}

/** Names of one system; the same person at another terminal is the same person. */
function isSamePerson(one: Approver, other: Approver): boolean {
  return one.name.trim().toLowerCase() === other.name.trim().toLowerCase();
}
