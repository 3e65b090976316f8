import {
  type CallPreview,
  CallPreview as CallPreviewSchema,
  type Claim,
  claimsConflict,
  type CommandId,
  type CommandRecord,
  type CommandStore,
  type Json,
  type Redactor,
  redactsOnlyWords,
  type Scheduler,
  type ToolRegistry,
} from '@signalbox/core';
import { previewCall } from './preview-call.ts';
import type { PreviewParts } from './preview-parts.ts';
import { uncommittedWork } from './uncommitted-work.ts';

export type Previews = {
  /** Null if its tool is gone. */
  of(record: CommandRecord): Promise<CallPreview | null>;
};

/** Previews computed at the same time; the others wait. */
const MAX_AT_ONCE = 3;
/** Several clients request the same preview at once. */
const KEPT_MS = 2000;
const MAX_KEPT = 64;
const MAX_NEIGHBOURS = 10;
/** Commands could be there: a script is text of the workspace. */
const HIDDEN = {
  kind: 'unavailable',
  what: 'A part that looks like a secret',
  why: 'it has more than one word, so it may hide commands; read it in the workspace before you approve',
} as const;

/** What calls would do, for approvers; bounded, cached briefly, and redacted. */
export function createPreviews(
  parts: PreviewParts & {
    readonly tools: ToolRegistry;
    readonly store: Pick<CommandStore, 'get' | 'list'>;
    readonly scheduler: Pick<Scheduler, 'snapshot'>;
    readonly redactor: Pick<Redactor, 'redactJson'>;
  },
): Previews {
  const { clock, tools, redactor, store, scheduler } = parts;
  const kept = new Map<string, { readonly at: number; readonly preview: Promise<CallPreview | null> }>();
  const inTurn = createLanes(MAX_AT_ONCE);

  async function compute(record: CommandRecord): Promise<CallPreview | null> {
    const tool = tools.get(record.call.tool);
    if (tool === undefined) return null;
    const [preview, taken] = await Promise.all([
      previewCall(record, tool, parts),
      uncommittedWork(record, parts),
    ]);
    const neighbours = await neighboursOf(record).catch(() => []);
    const whole = { ...preview, parts: [...taken, ...preview.parts], neighbours } as unknown as Json;
    const redacted = redactor.redactJson(whole);
    const shown = CallPreviewSchema.parse(redacted);
    return redactsOnlyWords(whole, redacted) ? shown : { ...shown, parts: [...shown.parts, HIDDEN] };
  }

  async function neighboursOf({ id, claims }: CommandRecord): Promise<CallPreview['neighbours']> {
    const { leases, waiting } = await scheduler.snapshot();
    const all = [
      ...leases.map((lease) => ({ ...lease, relation: 'holds' as const })),
      ...waiting.map((entry) => ({ ...entry, relation: 'waits' as const })),
    ];
    const met = all.filter((one) => one.commandId !== id && claimsConflict(claims, one.claims));
    const found = await Promise.all(
      met.slice(0, MAX_NEIGHBOURS).map(async (one) => {
        const other = await store.get(one.commandId);
        if (other === null) return [];
        const { context, title } = other;
        const resource = sharedResource(claims, one.claims);
        return [{ resource, provider: context.provider, title, relation: one.relation }];
      }),
    );
    return found.flat();
  }

  return {
    of(record) {
      const key = keyOf(record);
      const now = clock.now();
      const known = kept.get(key);
      if (known !== undefined && now - known.at < KEPT_MS) return known.preview;
      const preview = inTurn(() => compute(record));
      kept.delete(key);
      kept.set(key, { at: now, preview });
      preview.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
      return preview;
    },
  };
}

function keyOf({ id, callHash, approval }: { id: CommandId } & Pick<CommandRecord, 'callHash' | 'approval'>) {
  return `${id} ${callHash ?? ''} ${approval?.callHash ?? ''}`;
}

function sharedResource(own: readonly Claim[], others: readonly Claim[]): string {
  const met = others.find((claim) => claimsConflict(own, [claim]));
  return met?.resource ?? '';
}

/** Runs at most `max` tasks at once. */
function createLanes(max: number): <Answer>(task: () => Promise<Answer>) => Promise<Answer> {
  let free = max;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
