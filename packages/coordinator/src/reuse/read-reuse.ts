import {
  canonicalJson,
  type CommandRecord,
  type ReadHash,
  type ReadHashes,
  type ReuseSource,
  type SessionId,
  type StampScope,
  type Tool,
  type ToolAnswer,
} from '@signalbox/core';
import type { ExecutedCall } from '../command/running/execute-call.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { confinementOfRecord } from '../judging/confinement-of-record.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { withoutEffects } from './shared-runs.ts';

/** Answers of tools that only read, given again while everything that they read is the same. */
export type ReadReuse = {
  /** The same tool, whose answer to this command is kept. */
  keeping(tool: Tool, record: CommandRecord): Tool;
  /** Whether there is an earlier answer to the same call, which may be outdated. */
  has(record: CommandRecord): boolean;
  /** An earlier answer to the same call; null when there is none for certain. Never rejects. */
  answerTo(record: CommandRecord): Promise<ExecutedCall | null>;
  /** Kept answers. */
  count(): number;
  clear(): void;
};

type KeptAnswer = {
  readonly answer: ToolAnswer;
  readonly digest: string;
  readonly source: ReuseSource;
  /** What its session learned of files. */
  readonly noted: readonly (readonly [path: string, reading: ReadHash])[];
};

/** More take longer to compare than to read again. */
const MAX_ENTRIES = 1000;
/** After failures in a row, so many calls are not compared: the tree is too large, or changes all the time. */
const MAX_PAUSE = 64;
const MAX_PAUSED = 500;

export function createReadReuse(
  options: Pick<
    CoordinatorOptions,
    'settings' | 'policy' | 'lines' | 'tools' | 'stamps' | 'clock' | 'logger'
  > & {
    readonly readHashesOf: (session: SessionId) => ReadHashes;
  },
): ReadReuse {
  const { settings, policy, stamps, clock, logger } = options;
  const { enabled, ttl_secs } = settings.tools.result_cache;
  const kept = createKeptAnswers<KeptAnswer>({ clock, ttlMs: ttl_secs * 1000 });
  const pauses = new Map<string, { readonly failures: number; readonly left: number }>();

  /** All that decides about the answer besides the files. */
  function keyOf(record: CommandRecord, tool: Tool): string {
    const { limitSettings: _, ...confinement } = confinementOfRecord(record, tool, options);
    const { env, clientEnv } = record.context;
    const { tool: name, args } = record.call;
    return canonicalJson({ name, args, policy: policy.version, confinement, env, clientEnv });
  }

  function scopeOf(record: CommandRecord, tool: Tool): StampScope | null {
    if (!enabled || stamps === undefined) return null;
    const paths = tool.reads?.(record.call.args) ?? null;
    return paths === null ? null : { paths, maxEntries: MAX_ENTRIES };
  }

  function entryOf(record: CommandRecord): { readonly tool: Tool; readonly found: KeptAnswer } | undefined {
    const tool = options.tools.get(record.call.tool);
    // A person's own call always runs.
    if (tool?.reads === undefined || record.context.provider === 'you') return undefined;
    const found = kept.get(keyOf(record, tool));
    return found === undefined ? undefined : { tool, found };
  }

  function isPaused(scope: StampScope): boolean {
    const key = canonicalJson(scope);
    const pause = pauses.get(key);
    if (pause === undefined || pause.left === 0) return false;
    pauses.set(key, { ...pause, left: pause.left - 1 });
    return true;
  }

  function noteStamp(scope: StampScope, isTaken: boolean): void {
    const key = canonicalJson(scope);
    const failures = isTaken ? 0 : (pauses.get(key)?.failures ?? 0) + 1;
    pauses.delete(key);
    if (failures === 0) return;
    // A single failure is a file that has just changed.
    pauses.set(key, { failures, left: failures < 2 ? 0 : Math.min(2 ** failures, MAX_PAUSE) });
    for (const oldest of pauses.keys()) if (pauses.size > MAX_PAUSED) pauses.delete(oldest);
  }

  return {
    count: kept.count,
    clear: kept.clear,
    keeping(tool, record) {
      const scope = scopeOf(record, tool);
      if (scope === null || stamps === undefined || isPaused(scope)) return tool;
      const handle: Tool['handle'] = async (args, context) => {
        const key = keyOf(record, tool);
        const before = await stamps.take(scope, { recent: 'refuse', signal: context.signal });
        noteStamp(scope, before !== null);
        if (before === null) return tool.handle(args, context);
        const startedAt = clock.monotonic();
        const noted: [string, ReadHash][] = [];
        const readHashes: ReadHashes = {
          ...context.readHashes,
          note(path, reading) {
            noted.push([path, reading]);
            context.readHashes.note(path, reading);
          },
        };
        const answer = await tool.handle(args, { ...context, readHashes });
        if (!isKeepable(answer)) return answer;
        const durationMs = Math.round(clock.monotonic() - startedAt);
        const after = await stamps.take(scope, { recent: 'accept' });
        if (after?.digest !== before.digest) return answer;
        const { id: commandId, context: caller } = record;
        const source = { commandId, provider: caller.provider, endedAt: clock.now(), durationMs };
        kept.set(key, { answer, digest: before.digest, source, noted }, { bytes: bytesOf(answer, noted) });
        return answer;
      };
      return { ...tool, handle };
    },

    has: (record) => entryOf(record) !== undefined,

    async answerTo(record) {
      try {
        const entry = entryOf(record);
        const scope = entry === undefined ? null : scopeOf(record, entry.tool);
        if (entry === undefined || scope === null || stamps === undefined) return null;
        const { found } = entry;
        const now = await stamps.take(scope, { recent: 'accept' });
        if (now?.digest !== found.digest) return null;
        const readHashes = options.readHashesOf(record.context.sessionId);
        for (const [path, reading] of found.noted) readHashes.note(path, reading);
        const { execution, ...answer } = found.answer;
        return {
          outcome: { kind: 'completed' },
          answer: execution === undefined ? answer : { ...answer, execution: withoutEffects(execution) },
          reusedFrom: found.source,
        };
      } catch (error) {
        logger.warn({ commandId: record.id, error }, 'earlier answer not used');
        return null;
      }
    },
  };
}

/** A program that was stopped or failed may answer otherwise the next time. */
function isKeepable({ execution, files = [] }: ToolAnswer): boolean {
  if (files.some(({ kind }) => kind !== 'read')) return false;
  if (execution === undefined) return true;
  const { ended, answered, changes = [], limitsReached } = execution;
  const isDone = ended.kind === 'exited' && (ended.exitCode === 0 || answered === true);
  return isDone && changes.length === 0 && limitsReached === undefined;
}

function bytesOf({ output, execution }: ToolAnswer, noted: KeptAnswer['noted']): number {
  const texts = [
    execution?.stdout.text ?? '',
    execution?.stderr.text ?? '',
    ...noted.map(([, { text }]) => text ?? ''),
  ];
  const length = texts.reduce((sum, text) => sum + text.length, JSON.stringify(output).length);
  return 2 * length;
}
