import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import { afterAll, describe, expect, test } from 'vitest';
import { createExecutor } from './executor.ts';
import { runLine } from './run-line.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-options-')));
const file = join(workspace, 'file');
writeFileSync(file, '');
afterAll(() => {
  rmSync(workspace, { recursive: true });
});

describe('createExecutor refuses as workspace', () => {
  test.for([
    ['', 'it is not an absolute path'],
    ['relative', 'it is not an absolute path'],
    ['/', 'it is all of this machine'],
    [`${workspace}/missing`, 'it is not a directory'],
    [file, 'it is not a directory'],
    [`${workspace}\0`, 'it is not a directory'],
    ['/proc/self', `its real path is "/proc/${process.pid}"`],
    [`${workspace}/../${basename(workspace)}`, `its real path is "${workspace}"`],
  ])('%j: %s', ([path = '', why = '']) => {
    expect(() => createExecutor({ workspace: path })).toThrow(
      new UsageError('workspace', `Cannot use ${JSON.stringify(path)} as workspace: ${why}`),
    );
  });
});

test('createExecutor refuses an option that does not exist', () => {
  const misspelt = { workspace, confinment: 'required' };
  expect(() => createExecutor(misspelt)).toThrow(
    new UsageError(
      'invalid-arguments',
      'Cannot use option "confinment" of createExecutor: did you mean "confinement"?',
    ),
  );
});

describe('execute() runs nothing with', () => {
  test.for([
    [{ timeoutMs: Number.NaN }, 'timeoutMs NaN: it must be a number from 0 to 2147483647'],
    [{ timeoutMs: -1 }, 'timeoutMs -1: it must be a number from 0 to 2147483647'],
    [{ timeoutMs: 1e20 }, 'timeoutMs 100000000000000000000: it must be a number from 0 to 2147483647'],
    [{ memoryBytes: Number.NaN }, 'memoryBytes NaN: it must be a number from 0'],
    [{ processes: -5 }, 'processes -5: it must be a number from 0'],
  ] as const)('%j', async ([limits, why]) => {
    const executor = createExecutor({ workspace });
    await expect(runLine(executor, { line: 'true', limits })).rejects.toThrow(
      new UsageError('invalid-arguments', `Cannot run the command with ${why}`),
    );
    await executor.close();
  });
});

test('execute() refuses at once a line that the system could not start', async () => {
  const executor = createExecutor({ workspace });
  await expect(runLine(executor, { line: 'é'.repeat(65_536) })).rejects.toThrow(
    expect.objectContaining({
      code: 'input-too-large',
      message: 'Cannot run a shell line of 131072 bytes: the system accepts at most 131071',
    }),
  );
  await executor.close();
});

test('a line of the longest permitted length runs', async () => {
  const executor = createExecutor({ workspace, confinement: 'off-by-operator', standby: 0 });
  const line = `true ${'a'.repeat(131_066)}`;
  expect((await runLine(executor, { line })).ended).toEqual({ kind: 'exited', exitCode: 0 });
  await executor.close();
});
