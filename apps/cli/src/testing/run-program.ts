import { execa } from 'execa';

export type ProgramEnd = Readonly<{ exitCode: number | null; output: string }>;

/** Runs a program to its end, with an empty input; both its streams are the output. Killed after the time. */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: Readonly<{ cwd: string; env?: Readonly<Record<string, string | undefined>>; timeoutMs: number }>,
): Promise<ProgramEnd> {
  const done = await execa(program, args, {
    cwd: options.cwd,
    // Some programs take the folder that they are in from here.
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
