import { execFile, spawn, spawnSync } from 'node:child_process';
import { Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { holdStream } from './output/hold-stream.ts';

export type ProcessRequest = {
  /** Absolute path of the program, then its arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors from 0 on: `pipe` answers a stream in `streams`, a number is passed on. */
  readonly descriptors: readonly ('pipe' | 'ignore' | number)[];
};

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'failed'; readonly cause: Error };

export type StartedProcess = {
  /** Undefined when it could not be started; `ended` then says why. Leader of its own process group. */
  readonly pid: number | undefined;
  /** By descriptor; null where none was asked for. */
  readonly streams: readonly (Readable | Writable | null | undefined)[];
  /** When the process itself is dead and reaped; its streams may still hold output. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Whether our own process stays until this one has ended and its streams are closed. Default true. */
  readonly hold: (isHeld: boolean) => void;
};

/** Starts a process: the only place in the house that does. */
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

/** Runs a trusted program of ours to its end, at most 5 s: for probes and set-up only. Null when it fails. */
export function runTrusted(argv: readonly [string, ...string[]], path: string): string | null {
  const [program, ...args] = argv;
  const done = spawnSync(program, args, {
    env: { PATH: path, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    timeout: 5000,
  });
  return done.status === 0 ? done.stdout : null;
}

export type TakenServer = {
  readonly server: Server;
  /** The process that opened it. */
  readonly pid: number;
  /** Lets that process end; the server is ours. */
  readonly dismiss: () => void;
};

/**
 * Runs a trusted script of ours in Node.js behind these arguments, at most 5 s, and takes over the server that it
 * sends: it listens where the script was, and we are the ones who accept.
 */
export function takeServer(
  [program, ...args]: readonly [string, ...string[]],
  script: string,
): Promise<TakenServer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, process.execPath, '-e', script], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: 5000,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', reject);
    child.once('close', () => reject(new Error(said.trim() || 'it ended without a word')));
    child.once('message', (pid, server) => {
      if (typeof pid !== 'number' || !(server instanceof Server)) return void child.kill('SIGKILL');
      resolve({ server, pid, dismiss: () => child.disconnect() });
    });
  });
}

/**
 * Reads what a trusted program of ours prints, without holding up anybody.
 *
 * @throws {Error} with what it said, when it fails or takes longer.
 */
export async function readTrusted(
  argv: readonly [string, ...string[]],
  options: Pick<ProcessRequest, 'cwd' | 'env'> & { readonly timeoutMs: number },
): Promise<string> {
  const [program, ...args] = argv;
  const { cwd, env, timeoutMs } = options;
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 ** 2 } as const;
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd, env: { ...env }, encoding: 'utf8', ...limits },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stderr.trim() === '' ? error.message : stderr.trim(), { cause: error }));
      },
    );
  });
}

/**
 * As {@link readTrusted}, for what may be long: reads at most `maxBytes`, then ends the program.
 *
 * @throws {Error} with what it printed on standard error, when it fails or takes longer.
 */
export function readAtMost(
  [program, ...args]: readonly [string, ...string[]],
  options: Pick<ProcessRequest, 'cwd' | 'env'> & { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const { cwd, env, timeoutMs, maxBytes } = options;
  return new Promise((resolve, reject) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...limits,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes > maxBytes) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 4096) said += text;
    });
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      const isCut = bytes > maxBytes;
      const text = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
      if (isCut || exitCode === 0) resolve({ text, isCut });
      else if (signal !== null) reject(new Error(`${program} took longer than ${timeoutMs / 1000} s`));
      else reject(new Error(said.trim() === '' ? `${program} exited with ${exitCode}` : said.trim()));
    });
  });
}

/**
 * Lets a program of the person have their terminal until it ends, with that text on its standard input: a pager. Answers
 * its exit code; null when it could not be started, or a signal ended it.
 */
export function feedProgram(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env, text }: Pick<ProcessRequest, 'cwd' | 'env'> & { readonly text: string },
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'inherit', 'inherit'] });
    child.once('error', () => resolve(null));
    child.once('exit', (exitCode) => resolve(exitCode));
    // Who has seen enough leaves before the end of the text.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Lets a program of the person have their terminal until it ends: an editor. Answers as `feedProgram` does. */
export function lendTerminal(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: Pick<ProcessRequest, 'cwd' | 'env'>,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: 'inherit' });
    child.once('error', () => resolve(null));
    child.once('exit', (exitCode) => resolve(exitCode));
  });
}

/** Sends a signal to a process, or with a negative id to its group. False when there is nobody. */
export function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
