import { execa } from 'execa';

export type ProgramEnd = Readonly<{ exitCode: number | null; output: string }>;

/** Runs a program to its end, with empty input; both streams are the output. Killed after the timeout. */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: Readonly<{ cwd: string; env?: Readonly<Record<string, string | undefined>>; timeoutMs: number }>,
): Promise<ProgramEnd> {
  const done = await execa(program, args, {
    cwd: options.cwd,
    // Some programs read their folder from here.
    env: { PWD: options.cwd, ...options.env },
    stdin: 'ignore',
    all: true,
    stripFinalNewline: false,
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
    reject: false,
  });
  if (done.exitCode === undefined && done.code !== undefined)
    return { exitCode: null, output: done.message ?? '' };
  return { exitCode: done.exitCode ?? null, output: done.all };
}
