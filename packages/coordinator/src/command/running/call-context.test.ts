import {
  EMPTY_OUTPUT,
  type ExecutionHooks,
  type ExecutionRequest,
  LeaseLostError,
  pathResource,
  type RunOptions,
  type ToolContext,
  treeResource,
  type Verdict,
  writeClaim,
} from '@signalbox/core';
import { aCallContext, aCommandRecord, createMemoryFiles } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution } from '../../testing/coordinator-harness.ts';
import { execute, executorOf, shell, startCall, startRuntime, toolOf } from '../../testing/running-call.ts';
import type { ExecuteOptions } from './execute-options.ts';

/** Runs `git fetch` with the given options, and returns what its executor got. */
async function requested(
  given: Partial<ExecuteOptions> = {},
  runOptions?: RunOptions,
): Promise<Readonly<{ request: ExecutionRequest; hooks: ExecutionHooks }>> {
  const got: { request: ExecutionRequest; hooks: ExecutionHooks }[] = [];
  const executor = executorOf(async (request, hooks) => {
    got.push({ request, hooks });
    return anExecution();
  });
  const tool = toolOf(async (_args, { run }) => {
    return { output: null, execution: await run({ kind: 'shell', line: 'git fetch' }, runOptions) };
  });
  const { call } = await startCall({ executor, tool, ...given });
  await call.ended;
  const [first] = got;
  if (first === undefined) throw new Error('nothing ran');
  return first;
}

const VERDICT: Verdict = {
  level: 'warning',
  reasons: [],
  effects: [
    { kind: 'write', path: '.', scope: 'tree' },
    { kind: 'resource', resource: 'git:index', access: 'write' },
    { kind: 'resource', resource: 'git:refs', access: 'write' },
  ],
  runsRepositoryCode: false,
  composed: false,
};

test('a program runs at the root of the workspace, may write it, and has nothing else by default', async () => {
  const record = aCommandRecord();
  const { request } = await requested({ record });
  expect(request).toStrictEqual({
    commandId: record.id,
    program: { kind: 'shell', line: 'git fetch' },
    cwd: '.',
    env: {},
    limits: expect.objectContaining({ timeoutMs: expect.any(Number) }),
    network: 'off',
    readableHome: [],
    agreed: [],
    fetches: true,
    workspace: 'write',
    answerCodes: [],
  });
});

test('a program gets what settings, call and tool say of it', async () => {
  const clientEnv = { PATH: '/opt/bin' };
  const record = aCommandRecord({
    verdict: VERDICT,
    context: aCallContext({ env: { B: 'call', C: 'call' }, clientEnv }),
  });
  const { request } = await requested(
    {
      record,
      env: { A: 'settings', B: 'settings', C: 'settings' },
      network: 'on',
      readableHome: ['.cache/x'],
      login: 'gh',
    },
    { cwd: 'sub', env: { C: 'tool' }, stdin: 'yes', terminal: true, workspace: 'read', isCheck: true },
  );
  expect(request).toMatchObject({
    cwd: 'sub',
    env: { A: 'settings', B: 'call', C: 'tool' },
    clientEnv,
    network: 'on',
    readableHome: ['.cache/x'],
    login: 'gh',
    agreed: ['.'],
    movesTree: true,
    workspace: 'read',
    stdin: 'yes',
    terminal: true,
    answerCodes: expect.arrayContaining([1]),
  });
});

test('an executor gets the lease, the hidden paths, the labels, and where output and connections go', async () => {
  const pushed: unknown[] = [];
  const uses: unknown[] = [];
  const isDenied = (path: string): boolean => path === 'secret';
  const { hooks } = await requested({
    isDenied,
    deniedPatterns: ['secret'],
    labels: ['gpu'],
    output: { push: (...text) => pushed.push(text), end: () => Promise.resolve() },
    onConnection: (use) => uses.push(use),
  });
  hooks.onOutput('stdout', 'a');
  hooks.onConnection?.({ target: 'x:1', outcome: 'connected', why: null } as never);
  expect(pushed).toEqual([['stdout', 'a']]);
  expect(uses).toMatchObject([{ target: 'x:1' }]);
  expect(hooks).toMatchObject({ isDenied, deniedPatterns: ['secret'], labels: ['gpu'] });
  expect(hooks.lease?.current?.()).toMatchObject({ claims: [{ resource: expect.any(String) }] });
});

test('an executor that hides only the general paths gets no others', async () => {
  const { hooks } = await requested({ deniedPatterns: ['ignored'] });
  expect(Object.keys(hooks)).not.toContain('isDenied');
  expect(Object.keys(hooks)).not.toContain('deniedPatterns');
});

test('an exit code that is an answer of its program completes the call', async () => {
  const line = (exitCode: number) => ({
    tool: toolOf(async (_args, { run }) => ({
      output: null,
      execution: await run({ kind: 'shell', line: 'grep a b' }),
    })),
    executor: executorOf(async () =>
      anExecution({ ended: { kind: 'exited', exitCode }, stderr: EMPTY_OUTPUT }),
    ),
  });
  const [one, two] = [await startCall(line(1)), await startCall(line(2))];
  expect(await one.call.ended).toMatchObject({
    outcome: { kind: 'completed' },
    answer: { execution: { answered: true } },
  });
  expect((await two.call.ended).outcome.kind).toBe('failed');
});

test('a tool knows whose command it works for, and sees no file that is hidden from it', async () => {
  const seen: ToolContext[] = [];
  const tool = toolOf(async (_args, context) => {
    seen.push(context);
    await context.files.readText('open.txt', {});
    await context.files.readText('secret.txt', {});
    return { output: null };
  });
  const record = aCommandRecord();
  const files = createMemoryFiles({ files: { 'open.txt': 'a', 'secret.txt': 'b' } });
  const given = { staleWrite: 'merge', lines: { tests: 'npm test', lint: null } } as const;
  const isDenied = (path: string): boolean => path === 'secret.txt';
  const { call, clock } = await startCall({ tool, record, files, isDenied, ...given });
  expect((await call.ended).outcome).toMatchObject({ failure: { code: 'path_not_allowed' } });
  expect(seen).toMatchObject([
    {
      commandId: record.id,
      sessionId: record.context.sessionId,
      provider: record.context.provider,
      ...given,
    },
  ]);
  expect(seen[0]?.clock).toBe(clock);
});

test('a tool whose lease is gone changes no file', async () => {
  const go = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const tool = toolOf(async (_args, { files }) => {
    await go.promise;
    await files.write('a', 'text', { expected: 'absent' }).catch((error: unknown) => errors.push(error));
    return { output: null };
  });
  const files = createMemoryFiles({});
  const record = aCommandRecord();
  const { call, scheduler, lease } = await startCall({ tool, files, record });
  await scheduler.release(lease.leaseId);
  go.resolve();
  await call.ended;
  expect(errors).toEqual([expect.any(LeaseLostError)]);
  expect(errors).toMatchObject([{ message: expect.stringContaining(record.id) }]);
});

const CHANGE = { path: '.envrc', kind: 'created', hash: null } as const;
const WITHHELD = [
  {
    effect: { kind: 'write', path: '.envrc', scope: 'file' },
    reason: { level: 'warning', code: 'x', text: 'writes .envrc' },
  },
] as const;

test.each([
  ['wait', false, WITHHELD],
  ['never', false, undefined],
  ['wait', true, undefined],
] as const)(
  'a person is asked about changes the call did not name if one can be (asking: %s) and it was not cancelled (%s)',
  async (asking, isCancelled, withheld) => {
    const go = Promise.withResolvers<void>();
    const answers: unknown[] = [];
    const executor = executorOf(async (_request, { mayCommit }) => {
      await go.promise;
      answers.push(await mayCommit?.([CHANGE]));
      return anExecution({ ended: { kind: 'refused', exitCode: 0, why: [] } });
    });
    const { call } = await startCall({
      executor,
      tool: shell,
      record: aCommandRecord({ context: aCallContext({ asking }) }),
      judgeWrites: async () => ({ denied: [], withheld: WITHHELD }),
    });
    if (isCancelled) call.interrupt({ kind: 'cancelled', by: 'ana', reason: 'enough' });
    go.resolve();
    const ran = await call.ended;
    expect(answers).toMatchObject([{ kind: 'denied' }]);
    expect(ran.withheld).toEqual(withheld);
    expect(ran).toMatchObject({ limitSettings: { timeout_ms: expect.any(String) } });
  },
);

test('a rerun after a conflict holds what the first run held and wrote, and so does the next call of the line', async () => {
  const { clock, scheduler, lease } = await startRuntime();
  const claimed: unknown[] = [];
  const learned: unknown[] = [];
  const wrote = [writeClaim(treeResource('folder')), writeClaim(pathResource('b'))];
  const { ended } = execute({
    clock,
    scheduler,
    hold: {
      lease: () => lease,
      async exchange(claims) {
        claimed.push(claims);
        return null;
      },
    },
    executor: executorOf(async (_request, { mayCommit }) => {
      await mayCommit?.([{ path: 'b', kind: 'created', hash: null }], ['folder']);
      return anExecution({ ended: { kind: 'conflict', exitCode: 0, conflicts: [], why: [] } });
    }),
    reruns: {
      maxReruns: 2,
      isStillAllowed: async () => true,
      learn: (claims) => learned.push(claims),
    },
  });
  expect((await ended).outcome.kind).toBe('conflict');
  expect(claimed).toEqual([wrote, [...lease.claims, ...wrote]]);
  expect(learned).toEqual([wrote]);
});
