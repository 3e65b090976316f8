import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { LeaseTerm } from '@signalbox/core';
import { startedAt } from '../process-tree.ts';
import { endLines, startProcess, type StartedProcess } from '../process.ts';
import { readLines } from '../read-lines.ts';
import { SUPERVISOR_ARGV } from './supervisor-script.ts';

/** A process of its own that kills commands whose lease ran out, also when ours is frozen. */
export type Supervisor = {
  /**
   * Has these processes killed when the term ends, and when we are dead.
   *
   * @param pids Processes, or with a negative id their groups.
   * @param onLost Called when nobody watches any more; at most once.
   */
  readonly watch: (pids: readonly number[], term: LeaseTerm, onLost: () => void) => Watched;
  /**
   * Starts a process whose group is killed when we are dead, until it is let go. Bubblewrap is in need of it while it
   * starts: the process that it has made waits for one that died with us, for ever.
   */
  readonly guard: (start: () => StartedProcess) => GuardedProcess;
  /** Has the empty folders removed, when we are dead, whose paths begin so. */
  readonly tidy: (prefixes: readonly string[]) => void;
  /** Ends it as our own end would: what it still watches is killed. */
  readonly close: () => Promise<void>;
};

export type GuardedProcess = { readonly started: StartedProcess; readonly letGo: () => void };

export type Watched = {
  /**
   * Ends the watch, as soon as the processes are dead. Answers for how many milliseconds no renewal was heard of
   * when they were killed for it, and null when they were not.
   */
  readonly leave: () => Promise<number | null>;
};

/** So long before the end of a lease its command is killed, that it is dead when the lease passes on. */
const MARGIN_MS = 1000;
/** Of short leases, as in tests. */
const MARGIN_SHARE = 0.2;

type Watch = {
  readonly onLost: () => void;
  readonly answer: PromiseWithResolvers<number | null>;
};

/** Elsewhere than on Linux: nobody knows the time and the moment of a process's start as it needs to. */
const NOBODY: Supervisor = {
  watch: () => ({ leave: async () => null }),
  guard: (start) => ({ started: start(), letGo: () => undefined }),
  tidy: () => undefined,
  close: async () => undefined,
};

/** Of what runs under no lease. */
export const ENDLESS: LeaseTerm = {
  remainingMs: () => Number.MAX_SAFE_INTEGER / 2,
  onRenewed: () => () => undefined,
};

/** Starts its process with the first watch; it ends when we do. */
export function createSupervisor(): Supervisor {
  if (globalThis.process.platform !== 'linux') return NOBODY;
  let process: StartedProcess | null = null;
  let count = 0;
  const watches = new Map<number, Watch>();
  const tidied: string[] = [];

  function start(): StartedProcess {
    const started = startProcess({
      argv: SUPERVISOR_ARGV,
      cwd: '/',
      env: {},
      descriptors: ['pipe', 'pipe', 'ignore'],
    });
    const [orders, answers] = started.streams;
    orders?.on('error', () => undefined);
    if (answers instanceof Readable) readLines(answers, onAnswer);
    started.hold(false);
    void started.ended.then(onEnd);
    return started;
  }

  function startOnce(): void {
    if (process !== null) return;
    process = start();
    if (tidied.length > 0) say(`tidy ${tidied.join(' ')}`);
  }

  /** `killed ID UNHEARD_MS` or `left ID`. */
  function onAnswer(line: string): void {
    const [word, id, unheardMs] = line.split(' ');
    const watch = watches.get(Number(id));
    if (watch === undefined) return;
    if (word === 'left') watches.delete(Number(id));
    watch.answer.resolve(word === 'killed' ? Number(unheardMs) : null);
  }

  function onEnd(): void {
    process = null;
    const unwatched = [...watches.values()];
    watches.clear();
    for (const { onLost, answer } of unwatched) {
      onLost();
      answer.resolve(null);
    }
  }

  function say(line: string): void {
    const stream = process?.streams[0];
    if (stream !== null && stream !== undefined && 'write' in stream) stream.write(`${line}\n`);
  }

  function watchUntil(pids: readonly number[], term: LeaseTerm, onLost: () => void): Watched {
    startOnce();
    const id = ++count;
    const answer = Promise.withResolvers<number | null>();
    watches.set(id, { onLost, answer });
    const until = (): number => killAtMs(term.remainingMs());
    const named = pids.map((pid) => `${pid}:${startedAt(Math.abs(pid))}`);
    say(`watch ${id} ${until()} ${named.join(' ')}`);
    const forget = term.onRenewed(() => say(`renew ${id} ${until()}`));
    return {
      async leave() {
        forget();
        say(`leave ${id}`);
        const unheardMs = await answer.promise;
        watches.delete(id);
        return unheardMs;
      },
    };
  }

  return {
    watch: watchUntil,
    guard(startOne) {
      startOnce();
      const started = startOne();
      if (started.pid === undefined) return { started, letGo: () => undefined };
      const watched = watchUntil([-started.pid], ENDLESS, () => undefined);
      return { started, letGo: () => void watched.leave() };
    },
    tidy(prefixes) {
      // A line is split at blanks.
      const fit = prefixes.filter((prefix) => !/\s/.test(prefix));
      tidied.push(...fit);
      if (process !== null && fit.length > 0) say(`tidy ${fit.join(' ')}`);
    },
    async close() {
      if (process !== null) await endLines(process);
    },
  };
}

/** By the clock that the supervisor reads, which also counts the time that a machine sleeps. */
function killAtMs(remainingMs: number): number {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
  return Math.floor(uptimeMs + remainingMs - Math.min(MARGIN_MS, remainingMs * MARGIN_SHARE));
}
