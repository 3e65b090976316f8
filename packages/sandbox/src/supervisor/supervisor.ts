import { readFileSync } from 'node:fs';
import type { LeaseTerm } from '@signalbox/core';
import { startProcess, type StartedProcess } from '../process.ts';
import { SUPERVISOR_ARGV } from './supervisor-script.ts';

/** A process of its own that kills commands whose lease ran out, also when ours is frozen. */
export type Supervisor = {
  /**
   * Has these processes killed when the term ends, and when we are dead.
   *
   * @param pids Processes, or with a negative id their groups.
   * @param onLost Called when nobody watches any more; at most once.
   * @returns Call it as soon as they are dead: their numbers may become others'.
   */
  readonly watch: (pids: readonly number[], term: LeaseTerm, onLost: () => void) => () => void;
};

/** So long before the end of a lease its command is killed, that it is dead when the lease passes on. */
const MARGIN_MS = 1000;
/** Of short leases, as in tests. */
const MARGIN_SHARE = 0.2;

/** Starts its process with the first watch; it ends when we do. */
export function createSupervisor(): Supervisor {
  let process: StartedProcess | null = null;
  let count = 0;
  const lost = new Map<number, () => void>();

  function start(): StartedProcess {
    const started = startProcess({
      argv: SUPERVISOR_ARGV,
      cwd: '/',
      env: {},
      descriptors: ['pipe', 'ignore', 'ignore'],
    });
    started.streams[0]?.on('error', () => undefined);
    started.hold(false);
    void started.ended.then(onEnd);
    return started;
  }

  function onEnd(): void {
    process = null;
    const unwatched = [...lost.values()];
    lost.clear();
    for (const tell of unwatched) tell();
  }

  function say(line: string): void {
    const stream = process?.streams[0];
    if (stream !== null && stream !== undefined && 'write' in stream) stream.write(`${line}\n`);
  }

  return {
    watch(pids, term, onLost) {
      process ??= start();
      const id = ++count;
      lost.set(id, onLost);
      const until = (): number => killAtMs(term.remainingMs());
      say(`watch ${id} ${until()} ${pids.join(' ')}`);
      const forget = term.onRenewed(() => say(`renew ${id} ${until()}`));
      return () => {
        forget();
        lost.delete(id);
        say(`leave ${id}`);
      };
    },
  };
}

/** By the clock that the supervisor reads, which also counts the time that a machine sleeps. */
function killAtMs(remainingMs: number): number {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
  return Math.floor(uptimeMs + remainingMs - Math.min(MARGIN_MS, remainingMs * MARGIN_SHARE));
}
