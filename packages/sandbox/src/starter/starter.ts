import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { newBatch, type Pipes } from '../output/output-pipe.ts';
import { isAlive } from '../process-tree/process-tree.ts';
import { endLines, type ProcessEnd, sendSignal, startProcess, type StartedProcess } from '../process.ts';
import { readLines } from '../read-lines.ts';
import { ENDLESS, type Supervisor } from '../supervisor/supervisor.ts';
import { outlive } from '../process-tree/tree.ts';
import { createArgumentFiles } from './argument-files.ts';
import { type InitPipes, openInitPipes } from './init-pipes.ts';
import { starterArgv } from './starter-script.ts';

/** A small process that starts sandboxes, so that a start doesn't cost more the larger our own process is. */
export type Starter = {
  /**
   * Starts a program that begins once it has read a line from its descriptor 4.
   *
   * @throws {SandboxError} when no pipes can be created
   */
  readonly start: (argv: readonly [string, ...string[]]) => DetachedStart;
  /**
   * Resolves when there are pipes for the next starts, or can't be. Without it the first start waits for a process of
   * our own that makes them.
   */
  readonly prepare: () => Promise<void>;
  /** Ends it and everything it has started. */
  readonly close: () => Promise<void>;
};

export type DetachedStart = {
  /** Its `pid` is undefined until known. It has no streams; use `pipes`. */
  readonly process: StartedProcess;
  readonly pipes: InitPipes;
  /** Its pid, or null if it could not be started. */
  readonly known: Promise<number | null>;
};

export type StarterOptions = {
  /** Folder for unlinked files. */
  readonly folder: string;
  readonly pipes: Pipes;
  /** Returns the descriptor that becomes descriptor 6. */
  readonly openFilter: () => number;
  /** Kills the starter after our death, if it doesn't end by itself in time. */
  readonly supervisor: Pick<Supervisor, 'watch'>;
};

/** Pipes kept ready: enough for a burst of 4 starts; after that, one program makes {@link PIPES_AT_ONCE}. */
const SPARE_PIPES = 24;

/** Holds our process as a child does, whose ids start at 1. */
const PREPARING = 0;

type Child = {
  /** Its parent, the starter. */
  readonly parent: StartedProcess;
  pid: number | null;
  readonly pipes: InitPipes;
  readonly ended: Promise<ProcessEnd>;
  readonly onKnown: (pid: number | null) => void;
  readonly onEnd: (end: ProcessEnd) => void;
};

/**
 * Creates a starter. Its process begins with the first start and ends with us. If it was killed, the next start
 * begins another.
 */
export function createStarter({ folder, pipes, openFilter, supervisor }: StarterOptions): Starter {
  const argumentFiles = createArgumentFiles(folder);
  const children = new Map<number, Child>();
  const held = new Set<number>();
  let count = 0;
  /** Settled when the pipes being made exist, or can't be made. */
  let making: PromiseWithResolvers<void> | null = null;
  let running: StartedProcess | null = null;

  function begin(): StartedProcess {
    const started = startProcess({
      argv: starterArgv(folder),
      cwd: '/',
      env: {},
      descriptors: ['pipe', 'pipe', 'ignore'],
    });
    const [requests, answers] = started.streams;
    requests?.on('error', () => undefined);
    if (answers instanceof Readable) readLines(answers, onAnswer);
    started.hold(false);
    const { pid } = started;
    const kill = (): void => void (pid !== undefined && sendSignal(pid, 'SIGKILL'));
    const watched = pid === undefined ? null : supervisor.watch([pid], ENDLESS, kill);
    void started.ended.then((how) => {
      void watched?.leave();
      running = null;
      return onLost(how);
    });
    return started;
  }

  function send(line: string): StartedProcess {
    running ??= begin();
    const [requests] = running.streams;
    if (requests !== null && requests !== undefined && 'write' in requests) requests.write(`${line}\n`);
    return running;
  }

  function onAnswer(line: string): void {
    const [word = '', id = '', value] = line.split(' ');
    if (word === 'piped') {
      pipes.adopt(id);
      return endMaking();
    }
    const child = children.get(Number(id));
    if (child === undefined) return;
    if (word === 'started') {
      child.pid = Number(value);
      child.onKnown(child.pid);
    } else if (word === 'refused') {
      endChild(Number(id), {
        kind: 'failed',
        cause: new Error('the starter could not open its descriptors'),
      });
    } else if (word === 'ended') endChild(Number(id), toEnd(Number(value)));
  }

  function endChild(id: number, how: ProcessEnd): void {
    const child = children.get(id);
    if (child === undefined) return;
    children.delete(id);
    setHeld(id, false);
    if (child.pid === null) child.onKnown(null);
    child.onEnd(how);
  }

  function endMaking(): void {
    making?.resolve();
    making = null;
  }

  /** Sandboxes die with it, except new ones; a process we have not heard of doesn't begin. */
  function onLost(how: ProcessEnd): void {
    endMaking();
    const why = how.kind === 'failed' ? how.cause.message : 'it was killed';
    const cause = new Error(`the process that starts sandboxes is gone: ${why}`);
    for (const [id, { pid }] of children) {
      if (pid !== null) sendSignal(-pid, 'SIGKILL');
      const isLiving = (): boolean => pid !== null && isAlive(pid);
      void outlive(isLiving).then(() => endChild(id, { kind: 'failed', cause }));
    }
  }

  /** Keeps our process alive while an answer is awaited. */
  function setHeld(id: number, isHeld: boolean): void {
    if (isHeld) held.add(id);
    else held.delete(id);
    running?.hold(held.size > 0);
  }

  function makePipes(): void {
    if (making !== null || pipes.spare() >= SPARE_PIPES) return;
    making = Promise.withResolvers();
    send(`pipes ${newBatch()}`);
  }

  return {
    start(argv) {
      const ends = openInitPipes(pipes);
      const others = [argumentFiles.open(argv), openFilter()] as const;
      const id = ++count;
      const known = Promise.withResolvers<number | null>();
      const ended = Promise.withResolvers<ProcessEnd>();
      const [argumentFile, filter] = others;
      const parent = send(`start ${id} ${[argumentFile, ...ends.theirs, filter].join(' ')}`);
      const child: Child = {
        parent,
        pid: null,
        pipes: ends,
        ended: ended.promise,
        onKnown: known.resolve,
        onEnd: ended.resolve,
      };
      children.set(id, child);
      setHeld(id, true);
      makePipes();
      void known.promise.then(() => {
        for (const fd of others) closeSync(fd);
        return ends.closeTheirs();
      });
      // The last process with this pipe open is dead or about to die.
      ends.status.once('close', () => {
        const { pid } = child;
        if (pid !== null)
          void outlive(() => isAlive(pid)).then(() => child.parent === running && send(`reap ${id} ${pid}`));
      });
      return {
        process: {
          get pid() {
            return child.pid ?? undefined;
          },
          streams: [],
          ended: ended.promise,
          hold(isHeld) {
            setHeld(id, isHeld && children.has(id));
            ends.hold(isHeld);
          },
        },
        pipes: ends,
        known: known.promise,
      };
    },
    async prepare() {
      makePipes();
      if (making === null) return;
      setHeld(PREPARING, true);
      await making.promise;
      setHeld(PREPARING, false);
    },
    async close() {
      const left = [...children.values()];
      if (running !== null) await endLines(running);
      await Promise.all(left.map(({ ended }) => ended));
      for (const { pipes: ends } of left) ends.close();
      argumentFiles.close();
    },
  };
}

/** Converts a shell's exit status. */
function toEnd(status: number): ProcessEnd {
  const name = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return name === undefined ? { kind: 'exited', exitCode: status } : { kind: 'signalled', signal: name };
}
