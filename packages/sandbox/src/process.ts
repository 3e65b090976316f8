import { spawn } from 'node:child_process';
import { Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { holdStream } from './output/hold-stream.ts';

export type ProcessRequest = {
  /** Absolute path of the program, then its arguments. No shell is involved. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The complete environment; ours is not inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors from 0 on: `pipe` returns a stream in `streams`, a number is inherited. */
  readonly descriptors: readonly ('pipe' | 'ignore' | number)[];
};

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'failed'; readonly cause: Error };

export type StartedProcess = {
  /** Undefined when it could not be started; `ended` then has the cause. It leads its own process group. */
  readonly pid: number | undefined;
  /** Streams by descriptor; null where there is no pipe. */
  readonly streams: readonly (Readable | Writable | null | undefined)[];
  /** Resolves when the process is dead and reaped; its streams may still hold output. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Sets whether our own process stays alive until this one has ended and its streams are closed. Default true. */
  readonly hold: (isHeld: boolean) => void;
};

/** Starts the process of a command, a service or a sandbox. Trusted programs are started by `programs.ts`. */
export function startProcess(request: ProcessRequest): StartedProcess {
  const [program, ...args] = request.argv;
  const child = spawn(program, args, {
    cwd: request.cwd,
    env: { ...request.env },
    stdio: [...request.descriptors],
    detached: true,
    shell: false,
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (cause) => resolve({ kind: 'failed', cause }));
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'signalled', signal });
    });
  });
  return {
    pid: child.pid,
    streams: child.stdio,
    ended,
    hold(isHeld) {
      if (isHeld) child.ref();
      else child.unref();
      for (const stream of child.stdio) holdStream(stream, isHeld);
    },
  };
}

/** For a process that ends at the end of its input. */
const ENDS_WITHIN_MS = 10_000;

/** Closes the input of a process of ours that reads lines, and waits for its end. If frozen, it is killed. */
export async function endLines(started: StartedProcess): Promise<void> {
  // Otherwise our own process could exit first.
  started.hold(true);
  const [lines] = started.streams;
  if (lines !== null && lines !== undefined && 'end' in lines) lines.end();
  const { pid } = started;
  const late = setTimeout(() => void (pid !== undefined && sendSignal(pid, 'SIGKILL')), ENDS_WITHIN_MS);
  await started.ended;
  clearTimeout(late);
}

export type ReceivedServers = {
  readonly servers: readonly Server[];
  /** The process that opened the servers. */
  readonly pid: number;
  /** Ends that process; the servers stay ours. */
  readonly dismiss: () => void;
};

/**
 * Runs a trusted script of ours in Node.js, prefixed by these arguments, for at most 5 s, and takes over the
 * servers it sends, one per message. They listen in the script's namespaces, and we accept the connections.
 */
export function takeServers(
  [program, ...args]: readonly [string, ...string[]],
  { script, count }: { readonly script: string; readonly count: number },
): Promise<ReceivedServers> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, process.execPath, '-e', script], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: 5000,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', () => reject(new Error(stderr.trim() || 'it ended without a message')));
    const servers: Server[] = [];
    child.on('message', (pid, server) => {
      if (typeof pid !== 'number' || !(server instanceof Server)) return void child.kill('SIGKILL');
      servers.push(server);
      if (servers.length === count) resolve({ servers, pid, dismiss: () => child.disconnect() });
    });
  });
}

/** Sends a signal to a process, or with a negative id to its group. Returns false if it doesn't exist. */
export function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
