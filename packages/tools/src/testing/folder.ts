import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ToolContext } from '@signalbox/core';
import { createMemoryFiles } from '@signalbox/core/testing';
import { anExecution, aToolContext } from './tool-context.ts';

export type TestFolder = AsyncDisposable & {
  readonly path: string;
  readonly context: ToolContext;
  /** Runs a program in it and returns its output. */
  run(...argv: [string, ...string[]]): Promise<string>;
};

/**
 * Creates a folder on disk, and a context whose programs really run there; `files` has the same texts in
 * memory.
 */
export async function aFolder(
  files: Readonly<Record<string, string>>,
  options: { isDenied?: (path: string) => boolean; env?: Record<string, string> } = {},
): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'signalbox-tools-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  // Git must not read the configuration of whoever runs the tests.
  const env = { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1', ...options.env };

  const run: ToolContext['run'] = (program, { stdin = '', cwd = '.' } = {}) =>
    new Promise((resolve) => {
      const [file, ...args] =
        program.kind === 'argv'
          ? program.argv
          : (['/bin/bash', '--noprofile', '--norc', '-c', program.line] as const);
      const child = spawn(file, args, { cwd: join(path, cwd), env });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', (error) => resolve(anExecution({ stderr: error.message, exitCode: 127 })));
      child.on('close', (code) => resolve(anExecution({ stdout, stderr, exitCode: code ?? -1 })));
      child.stdin.on('error', () => undefined).end(stdin);
    });

  return {
    path,
    context: aToolContext({
      files: createMemoryFiles({ files, isDenied: options.isDenied, root: path }),
      run,
    }),
    run: async (...argv) => (await run({ kind: 'argv', argv })).stdout.text,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
