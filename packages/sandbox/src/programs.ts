import { execa, execaSync } from 'execa';

/** A trusted program: its absolute path or a name on `PATH`, then its arguments. No shell is involved. */
export type ProgramArgv = readonly [string, ...string[]];

export type ProgramOptions = Readonly<{
  cwd: string;
  /** The complete environment; ours is not inherited. */
  env: Readonly<Record<string, string>>;
}>;

/** Upper bound on output, in bytes. */
const MAX_BYTES = 64 * 1024 ** 2;
/** Upper bound on standard error in messages, in characters. */
const MAX_STDERR = 4096;
const PROBE_MS = 5000;

/** Runs a probe for at most 5 s and returns what it printed. Null when it fails. */
export function runTrusted([program, ...args]: ProgramArgv, path: string): string | null {
  const done = execaSync(program, args, {
    env: { PATH: path, LC_ALL: 'C.UTF-8' },
    extendEnv: false,
    stripFinalNewline: false,
    timeout: PROBE_MS,
    reject: false,
  });
  return done.failed ? null : done.stdout;
}

/**
 * Returns the output of a trusted program, at most 64 MiB.
 *
 * @throws {Error} with what it printed on standard error, when it fails or times out
 */
export async function readTrusted(
  argv: ProgramArgv,
  options: ProgramOptions & { readonly timeoutMs: number },
): Promise<string> {
  const { text, isCut } = await readAtMost(argv, { ...options, maxBytes: MAX_BYTES });
  if (isCut) throw new Error(`${argv[0]} printed more than ${MAX_BYTES / 1024 ** 2} MiB`);
  return text;
}

/**
 * Like {@link readTrusted}, for long output: reads at most `maxBytes`, then ends the program.
 *
 * @throws {Error} with what it printed on standard error, when it fails or times out
 */
export async function readAtMost(
  [program, ...args]: ProgramArgv,
  options: ProgramOptions & {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    /** Text for its standard input. Default: empty. */
    readonly input?: string;
  },
): Promise<{ readonly text: string; readonly bytes: Buffer; readonly isCut: boolean }> {
  const { cwd, env, timeoutMs, maxBytes, input = '' } = options;
  const done = await execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    input,
    encoding: 'buffer',
    stripFinalNewline: false,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: { stdout: maxBytes, stderr: MAX_BYTES },
    reject: false,
  });
  const bytes = Buffer.from(done.stdout).subarray(0, maxBytes);
  const isCut = done.isMaxBuffer;
  if (isCut || !done.failed) return { text: bytes.toString('utf8'), bytes, isCut };
  if (done.timedOut) throw new Error(`${program} took longer than ${timeoutMs / 1000} s`, { cause: done });
  const stderr = Buffer.from(done.stderr).toString('utf8').trim().slice(0, MAX_STDERR);
  throw new Error(stderr === '' ? whyFailed(program, done) : stderr, { cause: done });
}

function whyFailed(
  program: string,
  {
    exitCode,
    signal,
    originalMessage,
  }: {
    readonly exitCode?: number | undefined;
    readonly signal?: string | undefined;
    readonly originalMessage?: string | undefined;
  },
): string {
  if (exitCode !== undefined) return `${program} exited with ${exitCode}`;
  return signal === undefined
    ? (originalMessage ?? `${program} failed`)
    : `${program} was killed by ${signal}`;
}

/**
 * Gives the user's terminal to a program, such as a pager, until it ends, with this text on its standard input.
 * Returns its exit code; null when it could not be started or was ended by a signal.
 */
export function feedProgram(
  argv: ProgramArgv,
  { text, ...options }: ProgramOptions & { readonly text: string },
): Promise<number | null> {
  return runInForeground(argv, { ...options, stdin: { input: text } });
}

/** Gives the user's terminal to a program, such as an editor, until it ends. Returns the same as `feedProgram`. */
export function runOnTerminal(argv: ProgramArgv, options: ProgramOptions): Promise<number | null> {
  return runInForeground(argv, { ...options, stdin: { stdin: 'inherit' } });
}

async function runInForeground(
  [program, ...args]: ProgramArgv,
  {
    cwd,
    env,
    stdin,
  }: ProgramOptions & { readonly stdin: { readonly input: string } | { readonly stdin: 'inherit' } },
): Promise<number | null> {
  const done = await execa(program, args, {
    cwd,
    env,
    ...stdin,
    extendEnv: false,
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  return done.exitCode ?? null;
}
