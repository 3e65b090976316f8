import { spawn } from 'node:child_process';

export type ProgramEnd = Readonly<{ exitCode: number | null; output: string }>;

/** Runs a program to its end, with an empty input; both its streams are the output. Killed after the time. */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: Readonly<{ cwd: string; env?: Readonly<Record<string, string | undefined>>; timeoutMs: number }>,
): Promise<ProgramEnd> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    // Some programs take the folder that they are in from here.
    env: { ...process.env, PWD: options.cwd, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, output: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
