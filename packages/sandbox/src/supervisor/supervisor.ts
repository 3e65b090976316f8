import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { LeaseTerm } from '@signalbox/core';
import { startedAt } from '../process-tree/process-tree.ts';
import { endLines, startProcess, type StartedProcess } from '../process.ts';
import { readLines } from '../read-lines.ts';
import { SUPERVISOR_ARGV } from './supervisor-script.ts';

/** A separate process that kills commands whose lease has expired, even if ours is frozen. */
export type Supervisor = {
  /**
   * Has these processes killed when the term ends or when we die.
   *
   * @param pids Processes, or with a negative id process groups.
   * @param onLost Called at most once, if the supervisor is gone.
   */
  readonly watch: (pids: readonly number[], term: LeaseTerm, onLost: () => void) => Watched;
  /**
   * Starts a process whose group is killed when we die, until released. Bubblewrap needs this while it starts:
   * its child would wait forever for one that died with us.
   */
  readonly guard: (start: () => StartedProcess) => GuardedProcess;
  /** Has empty folders with these path prefixes removed when we die. */
  readonly tidy: (prefixes: readonly string[]) => void;
  /** Ends it like our own death: everything it still watches is killed. */
  readonly close: () => Promise<void>;
};

export type GuardedProcess = { readonly started: StartedProcess; readonly letGo: () => void };

export type Watched = {
  /**
   * Ends the watch; call as soon as the processes are dead. Returns the milliseconds without a renewal if they
   * were killed for that, otherwise null.
   */
  readonly leave: () => Promise<number | null>;
};

/** How long before its lease ends a command is killed, so that it is dead when the lease passes on. */
const MARGIN_MS = 1000;
/** Share of short leases, as in tests. */
const MARGIN_SHARE = 0.2;

type Watch = {
  readonly onLost: () => void;
  readonly answer: PromiseWithResolvers<number | null>;
};

/** Used on systems other than Linux, where the clock and start times it needs are not available. */
const NO_SUPERVISOR: Supervisor = {
  watch: () => ({ leave: async () => null }),
  guard: (start) => ({ started: start(), letGo: () => undefined }),
  tidy: () => undefined,
  close: async () => undefined,
};

/** The term of a process without a lease. */
export const ENDLESS: LeaseTerm = {
  remainingMs: () => Number.MAX_SAFE_INTEGER / 2,
  onRenewed: () => () => undefined,
};

/** Creates a supervisor. Its process starts with the first watch and ends with us. */
export function createSupervisor(): Supervisor {
  if (globalThis.process.platform !== 'linux') return NO_SUPERVISOR;
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
    if (tidied.length > 0) send(`tidy ${tidied.join(' ')}`);
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

  function send(line: string): void {
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
    send(`watch ${id} ${until()} ${named.join(' ')}`);
    const forget = term.onRenewed(() => send(`renew ${id} ${until()}`));
    return {
      async leave() {
        forget();
        send(`leave ${id}`);
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
      // Lines are split at blanks.
      const fit = prefixes.filter((prefix) => !/\s/.test(prefix));
      tidied.push(...fit);
      if (process !== null && fit.length > 0) send(`tidy ${fit.join(' ')}`);
    },
    async close() {
      if (process !== null) await endLines(process);
    },
  };
}

/** In the supervisor's clock, which includes time the machine sleeps. */
function killAtMs(remainingMs: number): number {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
  return Math.floor(uptimeMs + remainingMs - Math.min(MARGIN_MS, remainingMs * MARGIN_SHARE));
}
