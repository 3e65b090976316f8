import {
  type Approver,
  claimsConflict,
  type Clock,
  type CommandRecord,
  type Effect,
  type FileTouch,
  type Resource,
  type Ruling,
  type SessionId,
  type Verdict,
  writeClaim,
} from '@signalbox/core';
import { refusedBefore } from '@signalbox/policy';
import { keepLatest } from '../keep-latest.ts';
import type { Withheld } from '../execution/judge-writes.ts';
import { claimsOf, claimsOfChanges } from './claims-of.ts';

type Asked = Pick<CommandRecord, 'context' | 'verdict'>;

/**
 * What people refused, by effect: who was refused a write to a file or a ref and tries it with another tool or line is
 * asked about again, for as long as the session lives. A yes to the same effect ends that.
 */
export type RefusedEffects = {
  refused(record: Asked, by: Approver): void;
  granted(record: Asked): void;
  /** A question in place of a yes; one that is put anyway says what was refused. */
  rule(record: Asked, ruling: Ruling): Ruling;
  /** What a transaction wrote of it, unseen by who let it run. */
  withheldOf(record: Asked, changes: readonly FileTouch[]): readonly Withheld[];
};

type Refusal = { readonly resource: Resource; readonly by: string; readonly at: number };

/** Of sessions and of refusals in each, the last ones are kept. */
const MAX_SESSIONS = 500;
const MAX_REFUSALS = 200;

export function createRefusedEffects(clock: Pick<Clock, 'monotonic'>): RefusedEffects {
  const sessions = new Map<SessionId, readonly Refusal[]>();

  function of({ context }: Pick<Asked, 'context'>): readonly Refusal[] {
    return sessions.get(context.sessionId) ?? [];
  }

  function told(refusals: readonly Refusal[]): string {
    const [last] = refusals.toSorted((a, b) => b.at - a.at);
    const seconds = Math.round((clock.monotonic() - (last?.at ?? 0)) / 1000);
    const what = [...new Set(refusals.map(({ resource }) => nameOf(resource)))].slice(0, 5).join(', ');
    return `you refused this ${inWords(seconds)} ago: ${what} (${last?.by ?? 'somebody'})`;
  }

  return {
    refused(record, { name }) {
      const at = clock.monotonic();
      const fresh = written(record.verdict)
        .filter(isEffect)
        .map((resource) => ({ resource, by: name, at }));
      if (fresh.length === 0) return;
      const known = of(record).filter(({ resource }) => !fresh.some((one) => one.resource === resource));
      keepLatest(sessions, record.context.sessionId, [...known, ...fresh].slice(-MAX_REFUSALS), MAX_SESSIONS);
    },

    granted(record) {
      // A yes to what may write anything was none to this.
      const wanted = written(record.verdict).filter(isEffect);
      const left = of(record).filter(({ resource }) => !meets(resource, wanted));
      if (left.length < of(record).length) sessions.set(record.context.sessionId, left);
    },

    rule(record, ruling) {
      if (ruling.kind === 'deny') return ruling;
      const wanted = written(record.verdict);
      const met = of(record).filter(({ resource }) => meets(resource, wanted));
      if (met.length === 0) return ruling;
      if (ruling.kind === 'allow') return refusedBefore(told(met));
      return { ...ruling, reason: `${told(met)}; ${ruling.reason}` };
    },

    withheldOf(record, changes) {
      const put = claimsOfChanges(changes.filter(({ kind }) => kind !== 'read')).map(
        ({ resource }) => resource,
      );
      return of(record)
        .filter(({ resource }) => meets(resource, put))
        .map((refusal) => ({
          effect: effectOf(refusal.resource),
          reason: { level: 'warning', code: 'refused-before', text: told([refusal]) },
        }));
    },
  };
}

/** What it says that it writes. */
function written(verdict: Verdict | null): readonly Resource[] {
  if (verdict === null) return [];
  return claimsOf(verdict, { isTransaction: true, isStable: false })
    .filter(({ access }) => access === 'write')
    .map(({ resource }) => resource);
}

/** Files and refs: the whole workspace is what nobody can tell more of, and an index changes with each `git add`. */
function isEffect(resource: Resource): boolean {
  return resource === 'git:refs' || /^(?:path|tree):/.test(resource);
}

function meets(resource: Resource, others: readonly Resource[]): boolean {
  return claimsConflict([writeClaim(resource)], others.map(writeClaim));
}

function effectOf(resource: Resource): Effect {
  if (resource === 'git:refs') return { kind: 'resource', resource, access: 'write' };
  const scope = resource.startsWith('tree:') ? 'tree' : 'file';
  return { kind: 'write', path: resource.slice('path:'.length), scope };
}

function nameOf(resource: Resource): string {
  return resource === 'git:refs' ? 'git history' : resource.replace(/^(?:path|tree):/, '');
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
