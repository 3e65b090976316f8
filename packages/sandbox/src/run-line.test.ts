import { homedir } from 'node:os';
import type { Execution, ExecutionHooks, ExecutionRequest } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createExecutor } from './executor.ts';
import { withExecutorDefaults } from './executor-defaults.ts';
import { runLine } from './run-line.ts';
import { createHarness } from './testing/sandbox-harness.ts';

/** Keeps what it was asked to run. */
function recorder() {
  const asked: (readonly [ExecutionRequest, ExecutionHooks])[] = [];
  const execute = async (request: ExecutionRequest, hooks: ExecutionHooks): Promise<Execution> => {
    asked.push([request, hooks]);
    throw new Error('runs nothing');
  };
  return { asked, execute };
}

test('runLine() fills in a request: the whole workspace, no network, default limits', async () => {
  const { asked, execute } = recorder();
  await expect(runLine({ execute }, { line: 'npm test' })).rejects.toThrow('runs nothing');
  expect(asked).toEqual([
    [
      {
        commandId: expect.stringMatching(/^cmd_/),
        program: { kind: 'shell', line: 'npm test' },
        cwd: '.',
        env: {},
        network: 'off',
        workspace: 'write',
        limits: {
          timeoutMs: 60_000,
          cpuPercent: 80,
          processes: 256,
          fileBytes: 1024 ** 3,
          openFiles: 1024,
          writtenFiles: 500_000,
        },
      },
      { signal: expect.objectContaining({ aborted: false }), onOutput: expect.any(Function) },
    ],
  ]);
});

test('runLine() keeps what the request says, and the other defaults', async () => {
  const { asked, execute } = recorder();
  const hooks = { signal: AbortSignal.abort(), onOutput: () => undefined };
  const own = { cwd: 'src', network: 'on', stdin: 'x' } as const;
  const line = { line: 'cat', ...own, limits: { timeoutMs: 5 }, ...hooks };
  await expect(runLine({ execute }, line)).rejects.toThrow('runs nothing');
  expect(asked).toMatchObject([
    [{ ...own, workspace: 'write', limits: { timeoutMs: 5, processes: 256 } }, {}],
  ]);
  expect(asked[0]?.[1]).toEqual(hooks);
});

test('runLine() runs a line and streams its output', async () => {
  const harness = createHarness({ standby: 0 });
  const { workspace } = harness;
  const executor = createExecutor({ workspace, standby: 0 });
  let heard = '';
  const onOutput = (_: string, text: string): void => void (heard += text);
  try {
    const done = await runLine(executor, { line: 'echo hi; exit 3', onOutput });
    expect([done.ended, done.stdout.text, heard]).toEqual([{ kind: 'exited', exitCode: 3 }, 'hi\n', 'hi\n']);
  } finally {
    await executor.close();
    await harness.close();
  }
});

test('an executor needs only its workspace: all else has defaults, and confinement is required', () => {
  const clock = createManualClock();
  expect(withExecutorDefaults({ workspace: '/srv/shop', clock })).toEqual({
    workspace: '/srv/shop',
    stateFolder: '/srv/shop/.signalbox',
    path: '/usr/local/bin:/usr/bin:/bin',
    home: homedir(),
    confinement: 'required',
    clock,
  });
  const given = {
    workspace: '/srv/shop',
    stateFolder: '/var/shop',
    path: '/bin',
    home: '/home/ana',
    confinement: 'where-possible',
    clock,
    standby: 0,
  } as const;
  expect(withExecutorDefaults(given)).toEqual(given);
});
