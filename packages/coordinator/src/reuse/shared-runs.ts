import type { Clock, Execution, ReuseSource, SessionId, TreeStamp } from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';

/** Who runs something, and how. */
export type RunCaller = {
  readonly session: SessionId;
  /** True: runs in any case; others may use its result. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
};

/** A run by its key, with what decides whether its result may be used again. */
export type SharedRun = {
  /** Equal for runs that give the same answer on the same files. */
  readonly key: string;
  /** The files now, as a base for later comparisons; null when unknown. */
  readonly stampNow: () => Promise<TreeStamp | null>;
  readonly execute: () => Promise<Execution>;
  /** What is kept of a run that has ended; null when its result must not be used again. Called after its answer. */
  readonly keep: (execution: Execution, before: TreeStamp) => Promise<KeptRun | null>;
};

export type KeptRun = {
  readonly execution: Execution;
  /** Digest of the files as the run left them. */
  readonly digest: string;
  readonly source: ReuseSource;
};

/** A run's end, and the command that really ran it, unless that was the caller. */
export type SharedExecution = { readonly execution: Execution; readonly reusedFrom?: ReuseSource };

/** Runs the same work once. */
export type SharedRuns = {
  run(run: SharedRun, caller: RunCaller): Promise<SharedExecution>;
  /** Kept results. */
  count(): number;
  clear(): void;
};

/** Results that are kept; each has at most 200 KiB of output. */
const MAX_KEPT = 64;
const MAX_KEYS = 500;
/** What it takes to compare one entry of the tree, before the run and after it. */
const STAMP_MS = 0.04;

type Entry = KeptRun & {
  readonly keptAt: number;
  /** Sessions that were answered by it. */
  readonly given: Set<SessionId>;
};

/** A run that has not ended, or whose result is not kept yet. */
type Flight = {
  readonly digest: string;
  isRunning: boolean;
  readonly kept: Promise<Entry | null>;
};

/**
 * Answers a run by the result of an earlier one with the same key, if the files are exactly those that it left, and lets
 * a run wait for an equal one that is under way.
 *
 * A result stands for a moment at which the files were the same, and that moment is never before the request: the files
 * are compared after it. A session is answered by the same result once: if it asks again, it means another run.
 */
export function createSharedRuns(options: {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** 0: no limit. */
  readonly ttlMs: number;
}): SharedRuns {
  const { clock, ttlMs } = options;
  const entries = new Map<string, Entry>();
  const flights = new Map<string, Flight>();
  /** Keys whose last result could not be kept: nobody waits for the next one in vain. */
  const unfit = new Map<string, true>();
  /** Keys of runs that end sooner than their files are compared. */
  const quick = new Map<string, true>();

  function found(key: string, digest: string, session: SessionId): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    const isExpired = ttlMs > 0 && clock.monotonic() - entry.keptAt >= ttlMs;
    if (!isExpired && entry.digest === digest && !entry.given.has(session)) return entry;
    return undefined;
  }

  function give({ execution, source, given }: Entry, session: SessionId): SharedExecution {
    given.add(session);
    return { execution: withoutEffects(execution), reusedFrom: source };
  }

  async function lead(run: SharedRun, before: TreeStamp): Promise<SharedExecution> {
    const { key } = run;
    const kept = Promise.withResolvers<Entry | null>();
    const flight: Flight = { digest: before.digest, isRunning: true, kept: kept.promise };
    if (!flights.has(key)) flights.set(key, flight);
    try {
      const execution = await run.execute();
      flight.isRunning = false;
      if (execution.durationMs < before.states.size * STAMP_MS)
        keepLatest(quick, key, { value: true, max: MAX_KEYS });
      void keep(execution);
      return { execution };
    } catch (error) {
      land(null);
      throw error;
    }

    async function keep(execution: Execution): Promise<void> {
      const one = await run.keep(execution, before).catch(() => null);
      // A run that was stopped says nothing about the next one.
      if (one === null && execution.ended.kind === 'exited')
        keepLatest(unfit, key, { value: true, max: MAX_KEYS });
      land(one === null ? null : entryOf(key, one));
    }

    function land(entry: Entry | null): void {
      if (flights.get(key) === flight) flights.delete(key);
      kept.resolve(entry);
    }
  }

  function entryOf(key: string, kept: KeptRun): Entry {
    const entry: Entry = { ...kept, keptAt: clock.monotonic(), given: new Set() };
    unfit.delete(key);
    keepLatest(entries, key, { value: entry, max: MAX_KEPT });
    return entry;
  }

  async function wait(flight: Flight, { digest }: TreeStamp, { run, caller }: Asked): Promise<Entry | null> {
    const isSame = flight.isRunning && flight.digest === digest;
    if (flight.isRunning && !isSame) return null;
    const entry = await unlessAborted(flight.kept, caller.signal);
    // One that ends later than this request has compared the files after it.
    if (isSame) return entry == null || entry.given.has(caller.session) ? null : entry;
    return found(run.key, digest, caller.session) ?? null;
  }

  return {
    count: () => entries.size,
    clear: () => entries.clear(),
    async run(run, caller) {
      const { key } = run;
      const { session, signal, isFresh } = caller;
      const before = quick.has(key) ? null : await run.stampNow();
      if (before === null) return { execution: await run.execute() };
      if (isFresh) return lead(run, before);
      const known = found(key, before.digest, session);
      if (known !== undefined) return give(known, session);
      const flight = flights.get(key);
      if (flight === undefined || unfit.has(key)) return lead(run, before);
      const entry = await wait(flight, before, { run, caller });
      if (entry !== null) return give(entry, session);
      const now = signal.aborted ? null : await run.stampNow();
      return now === null ? { execution: await run.execute() } : lead(run, now);
    },
  };
}

type Asked = { readonly run: SharedRun; readonly caller: RunCaller };

/** The same end for a command that ran nothing and changed nothing. */
export function withoutEffects(execution: Execution): Execution {
  const { reruns: _, merged: __, rolledBack: ___, ...ending } = execution;
  return { ...ending, changes: [], durationMs: 0, usage: { cpuMs: 0, peakMemoryBytes: null } };
}

/** Undefined when the caller was stopped meanwhile. */
async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => stopped.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
