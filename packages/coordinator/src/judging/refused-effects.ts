import {
  type Approver,
  type Call,
  canonicalJson,
  claimsConflict,
  type Clock,
  type CommandRecord,
  type Effect,
  type Facts,
  type FileTouch,
  type Logger,
  Resource,
  type Ruling,
  type Tool,
  type ToolRegistry,
  type Verdict,
  writeClaim,
} from '@signalbox/core';
import { refusedBefore } from '@signalbox/policy';
import type { WithheldChange } from '../execution/judge-writes.ts';
import { claimsOf, claimsOfChanges } from './claims-of.ts';
import { ANY_LOCAL, type LineRefs, refsOfLine, refsOfPaths, sameRefs } from './refs-of-line.ts';
import { createStoredRefusals, type StoredRefusal } from './stored-refusals.ts';

type Asked = Pick<CommandRecord, 'call' | 'context' | 'verdict'>;

const GIT_REFS = Resource.parse('git:refs');
const REFUSED_BEFORE = 'refused-before';

/**
 * The effects that people denied: if a write to a file or ref was denied, another tool or line with the same effect
 * needs approval, until the session ends, on every coordinator of its workspace. Approving the same effect ends that.
 */
export type RefusedEffects = {
  /** Resolves when earlier denials, and those of other coordinators, are loaded. */
  readonly loaded: Promise<void>;
  refused(record: Asked, by: Approver): void;
  granted(record: Asked): void;
  /** Turns an allow into an approval request; a request that is made anyway says what was denied. */
  rule(record: Asked, ruling: Ruling): Ruling;
  /** Denied effects among a transaction's changes, which the approver had not seen. */
  withheldOf(record: Asked, changes: readonly FileTouch[]): readonly WithheldChange[];
};

/** What a call writes, by resource; for git's refs also which. */
type Written = Pick<StoredRefusal, 'resource' | 'refs'>;

export function createRefusedEffects(options: {
  readonly clock: Pick<Clock, 'now'>;
  readonly facts: Facts;
  readonly logger: Logger;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly lines: Parameters<NonNullable<Tool['shellLine']>>[1];
}): RefusedEffects {
  const { clock, tools, lines } = options;
  const refusals = createStoredRefusals(options);

  function of({ context }: Pick<Asked, 'context'>): readonly StoredRefusal[] {
    return refusals.of(context.sessionId);
  }

  /** The writes that it declares. */
  function written({ call, verdict }: Asked): readonly Written[] {
    if (verdict === null) return [];
    const files = claimsOf(verdict, { isTransaction: true, isStable: false })
      .filter(({ access, resource }) => access === 'write' && resource !== GIT_REFS)
      .map(({ resource }) => ({ resource, refs: null }));
    // Among many claims, which are merged into one on the workspace, the refs are kept separate.
    return verdict.effects.some(isOnRefs)
      ? [...files, { resource: GIT_REFS, refs: refsWritten(call, verdict) }]
      : files;
  }

  /** A line without network effects pushes nothing, whatever else is unknown about it. */
  function refsWritten(call: Call, { effects }: Verdict): string[] | null {
    return refsOf(call) ?? (effects.some(({ kind }) => kind === 'network') ? null : [ANY_LOCAL]);
  }

  function refsOf(call: Call): string[] | null {
    if (call.tool === 'git_commit') return ['HEAD'];
    const line = tools.get(call.tool)?.shellLine?.(call.args, lines).line;
    const refs = line === undefined ? null : refsOfLine(line);
    return refs === null ? null : [...refs];
  }

  function reported(met: readonly StoredRefusal[]): string {
    const [last] = met.toSorted((a, b) => b.at - a.at);
    const seconds = Math.max(0, Math.round((clock.now() - (last?.at ?? 0)) / 1000));
    const what = [...new Set(met.flatMap(namesOf))].slice(0, 5).join(', ');
    return `you refused this ${inWords(seconds)} ago: ${what} (${last?.by ?? 'a person'})`;
  }

  return {
    get loaded() {
      return refusals.loaded;
    },

    refused(record, { name }) {
      const at = clock.now();
      // A script changed a ref that was denied before: its line names none, and the denial stays.
      const isKnown = record.verdict?.reasons.some(({ code }) => code === REFUSED_BEFORE) === true;
      const fresh = written(record)
        .filter((one) => isEffect(one) && !(isKnown && one.resource === GIT_REFS && isUnnamed(one.refs)))
        .map((one) => ({ ...one, by: name, at }));
      if (fresh.length === 0) return;
      refusals.change(record.context.sessionId, (known) => [
        ...known.filter((one) => !fresh.some((other) => isSame(one, other))),
        ...fresh,
      ]);
    },

    granted(record) {
      // Approving a call that may write anything does not cover this one.
      const wanted = written(record).filter(isEffect);
      if (!of(record).some((one) => meets(one, wanted))) return;
      refusals.change(record.context.sessionId, (known) => known.filter((one) => !meets(one, wanted)));
    },

    rule(record, ruling) {
      if (ruling.kind === 'deny') return ruling;
      const wanted = written(record);
      const met = of(record).filter((one) => meets(one, wanted));
      if (met.length === 0) return ruling;
      if (ruling.kind === 'allow') return refusedBefore(reported(met));
      return { ...ruling, reason: `${reported(met)}; ${ruling.reason}` };
    },

    withheldOf(record, changes) {
      const found = changes.filter(({ kind }) => kind !== 'read');
      const refs = refsOfPaths(
        found.map(({ path }) => path),
        refsOf(record.call),
      );
      const files = claimsOfChanges(found).filter(({ resource }) => resource !== GIT_REFS);
      const put = [
        ...files.map(({ resource }) => ({ resource, refs: null })),
        { resource: GIT_REFS, refs: refs === null ? null : [...refs] },
      ];
      return of(record)
        .filter((one) => meets(one, put))
        .map((refusal) => ({
          effect: effectOf(refusal.resource),
          reason: { level: 'warning', code: REFUSED_BEFORE, text: reported([refusal]) },
        }));
    },
  };
}

/** Files and refs only: the whole workspace means unknown writes, and an index changes with each `git add`. */
function isEffect({ resource }: Written): boolean {
  return resource === GIT_REFS || /^(?:path|tree):/.test(resource);
}

function isUnnamed(refs: StoredRefusal['refs']): boolean {
  return refs === null || refs.includes(ANY_LOCAL);
}

function isOnRefs(effect: Effect): boolean {
  return effect.kind === 'resource' && effect.resource === GIT_REFS && effect.access === 'write';
}

/** A ref is matched by name only: a call that may write any file writes refs only if it declares them. */
function meets(refusal: StoredRefusal, others: readonly Written[]): boolean {
  return others.some(({ resource, refs }) =>
    refusal.resource === GIT_REFS
      ? resource === GIT_REFS && sameRefs(toSet(refusal.refs), toSet(refs))
      : claimsConflict([writeClaim(refusal.resource)], [writeClaim(resource)]),
  );
}

function isSame(a: Written, b: Written): boolean {
  return a.resource === b.resource && canonicalJson(a.refs) === canonicalJson(b.refs);
}

function toSet(refs: readonly string[] | null): LineRefs | null {
  return refs === null ? null : new Set(refs);
}

function effectOf(resource: Resource): Effect {
  if (resource === GIT_REFS) return { kind: 'resource', resource, access: 'write' };
  const scope = resource.startsWith('tree:') ? 'tree' : 'file';
  return { kind: 'write', path: resource.slice('path:'.length), scope };
}

function namesOf({ resource, refs }: StoredRefusal): readonly string[] {
  if (resource !== GIT_REFS) return [resource.replace(/^(?:path|tree):/, '')];
  return refs?.map(refInWords) ?? ['git history'];
}

function refInWords(ref: string): string {
  if (ref === 'HEAD') return 'the current branch';
  if (ref === 'checkout') return 'what is checked out';
  if (ref === ANY_LOCAL) return 'git history';
  return ref
    .replace(/^new /, '')
    .replace(/^refs\/heads\//, 'branch ')
    .replace(/^refs\/tags\//, 'tag ')
    .replace('push *', 'a push');
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
