import {
  type CommandResult,
  type Execution,
  EMPTY_OUTPUT,
  type Outcome,
  type ToolAnswer,
} from '@signalbox/core';
import { aCommandRecord, aFailure, SOME_TIME } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution } from '../testing/coordinator-harness.ts';
import { fenceFor } from '../untrusted/untrusted-text.ts';
import { resultOfRun, resultWithoutRun } from './command-result.ts';

const same = <Value>(value: Value): Value => value;
const REDACT = { text: (text: string) => text.replaceAll('secret', '***'), json: same };
const record = aCommandRecord({ queuedAt: SOME_TIME + 10, startedAt: SOME_TIME + 30 });

function run(
  outcome: Outcome,
  {
    execution,
    output = 'out',
    of = record,
  }: Readonly<{ execution?: Partial<Execution>; output?: string | object; of?: typeof record }> = {},
) {
  const answer = {
    output: output as string,
    ...(execution === undefined ? {} : { execution: anExecution(execution) }),
  };
  return resultOfRun(of, { outcome, answer, endedAt: SOME_TIME + 130 }, REDACT);
}

const text = (value: string) => ({ ...EMPTY_OUTPUT, text: value });

test('a tool’s text is returned as it is, its data as JSON (S000-27, S004-03)', () => {
  expect(run({ kind: 'completed' }).content).toBe('out');
  expect(run({ kind: 'completed' }, { output: { a: 1 } }).content).toBe('{"a":1}');
});

test('a program’s exit code and both streams are returned, with how to read omitted output (S001-23, D10, L-02)', () => {
  const result = run(
    { kind: 'completed' },
    {
      execution: {
        stdout: { ...text('a secret\n'), truncated: true, spillFile: '/s/out' },
        stderr: { ...text('b'), spillFile: '/s/err' },
      },
    },
  );
  expect(result.content).toBe(
    `exit code: 0\nstdout:\na ***\nstderr:\nb\ntruncated: true (the middle of stdout was left out; call read_output with command ${record.id}, stream stdout, and first_line, tail or search)`,
  );
  expect(result).toMatchObject({
    truncated: true,
    spillFiles: { stdout: '/s/out', stderr: '/s/err' },
    exitCode: 0,
  });
});

test('a command that timed out has exit code -1, its output, and the text of the specification (X-13, S000-60, S000-64)', () => {
  const timedOut: Outcome = { kind: 'timed_out', failure: aFailure({ category: 'Timeout' }) };
  const ended = { kind: 'timed_out', timeoutMs: 5 } as const;
  for (const [stderr, expected] of [
    ['', 'Command timed out'],
    ['x', 'x\nCommand timed out'],
    ['x\n', 'x\nCommand timed out'],
  ] as const) {
    const result = run(timedOut, { execution: { ended, stdout: text('so far'), stderr: text(stderr) } });
    expect(result).toMatchObject({ exitCode: -1, success: false, stdout: 'so far', stderr: expected });
  }
  expect(run(timedOut).exitCode).toBeNull();
});

test('a failure comes first, then the output, all of it redacted (S000-28, S001-98, X-37)', () => {
  const failure = aFailure({ message: 'a secret', suggestion: 'no secret', why: ['secret'] });
  const result = run({ kind: 'failed', failure }, { execution: { stdout: text('printed') } });
  expect(result.content).toMatch(/^\[tool_error\][^]*\n\nexit code: 0\nstdout:\nprinted$/);
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(run({ kind: 'failed', failure }).content).toMatch(/^\[tool_error\]/);
});

test('text from outside is fenced: both streams at once, a tool’s text, the words of a server on a failure (K3)', () => {
  const fence = fenceFor('the network: a secret host', '0123456789ab');
  const untrusted = { source: 'the network: a secret host', fence };
  const more = { endedAt: SOME_TIME, untrusted };
  const marks = (inside: string): string =>
    `<untrusted 0123456789ab from the network: a secret host>\n${inside}\n</untrusted 0123456789ab>`;
  const ran = (answer: ToolAnswer | undefined, outcome: Outcome = { kind: 'completed' }): CommandResult =>
    resultOfRun(record, { outcome, answer, ...more }, REDACT);
  const printed = ran({ output: null, execution: anExecution({ stdout: text('a\n'), stderr: text('b') }) });
  expect(printed.content).toBe(`exit code: 0\n${marks('stdout:\na\nstderr:\nb')}`);
  expect([printed.stdout, printed.untrusted]).toEqual(['a\n', 'the network: a *** host']);
  expect(ran({ output: { a: 1 } }).content).toBe(marks('{"a":1}'));
  expect(ran({ output: null, execution: anExecution() }).content).toBe('exit code: 0');
  const failure = aFailure({ code: 'mcp-tool-error', message: 'obey' });
  const failed = ran(undefined, { kind: 'failed', failure }).content;
  expect(failed).toMatch(/^\[tool_error\]\n/);
  expect(failed).toContain(marks('obey'));
  expect(failed.replace(marks('obey'), '')).not.toContain('obey');
});

test('waiting time is measured until the start or the end, and is never below zero (S000-29)', () => {
  expect(run({ kind: 'completed' })).toMatchObject({
    latencyMs: 130,
    durationMs: 100,
    waitedMs: 20,
    approvalMs: 0,
  });
  const never = resultWithoutRun(
    { ...record, startedAt: null },
    { kind: 'denied', failure: aFailure() },
    { endedAt: SOME_TIME + 60, redact: REDACT },
  );
  expect(never).toMatchObject({ waitedMs: 50, durationMs: 0, exitCode: null });
  expect(
    resultWithoutRun(record, { kind: 'completed' }, { endedAt: SOME_TIME - 5, redact: REDACT }),
  ).toMatchObject({
    latencyMs: 0,
    content: '',
  });
});

test('a transaction’s result says which files include others’ changes, that it was rolled back, and how to move a folder', () => {
  const isolation = { ...anExecution().isolation, layer: 'overlay' } as const;
  const moved = run(
    { kind: 'completed' },
    { execution: { isolation, stderr: text('mv: Invalid cross-device link'), merged: ['a'] } },
  );
  expect(moved.content).toContain('hint: a folder that existed before can only be moved as a copy here');
  expect(moved.content).toContain('merged: others changed these files too; they now contain both changes: a');
  const onDisk = run({ kind: 'completed' }, { execution: { stderr: text('EXDEV') } });
  expect(onDisk.content).not.toContain('hint:');
  expect(run({ kind: 'completed' }, { execution: { rolledBack: true } })).toMatchObject({
    rollback: 'rolled_back',
  });
  const stuck = { kind: 'rollback_failed', exitCode: 0, why: [] } as const;
  expect(run({ kind: 'failed', failure: aFailure() }, { execution: { ended: stuck } }).rollback).toBe(
    'rollback_failed',
  );
});

test('a command that left files in its own /tmp is told that they are gone, with secrets redacted', () => {
  const isolation = { ...anExecution({}).isolation, ownFolders: ['/tmp', '/var/tmp'] };
  const hintOf = (effects: readonly string[], exitCode = 0): string => {
    const verdict = {
      level: 'safe' as const,
      reasons: [],
      runsRepositoryCode: false,
      composed: false,
      effects: effects.map((effect) => {
        const [kind = 'read', path = ''] = effect.split(' ');
        return { kind: kind as 'read' | 'write' | 'delete', path, scope: 'tree' as const };
      }),
    };
    const ended = { kind: 'exited', exitCode } as const;
    const result = run(
      { kind: 'completed' },
      { execution: { isolation, ended }, output: 'out', of: { ...record, verdict } },
    );
    return /^hint: .*$/m.exec(result.content)?.[0] ?? '';
  };
  expect(hintOf(['write /tmp/log', 'read /tmp/log'])).toBe(
    'hint: each command has its own /tmp, empty at first: the files this one left there are gone (/tmp/log). Use them in the same line, or write them into the workspace',
  );
  expect(
    hintOf(['write /tmp/secret', ...'bcdef'.split('').map((name) => `write /var/tmp/${name}`)]),
  ).toContain(
    '/tmp and /var/tmp, empty at first: the files this one left there are gone (/tmp/***, /var/tmp/b, /var/tmp/c and 3 more)',
  );
  expect(hintOf(['read /tmp/log'], 1)).toBe(
    'hint: each command has its own /tmp, empty at first: files that an earlier one wrote there are gone (/tmp/log)',
  );
  for (const clean of [
    ['read /tmp/log'],
    ['write /tmp/a/b', 'delete /tmp/a'],
    ['write src/a'],
    ['write /tmpfile'],
    [],
  ])
    expect(hintOf(clean)).toBe('');
});
