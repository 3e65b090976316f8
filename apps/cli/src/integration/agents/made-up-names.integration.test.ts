import { expect, test } from 'vitest';
import { startAgent } from '../../testing/agent.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { type RecordedModel, startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ON = { agent: { hallucination_detection: true }, approval: { approval_mode: 'allow_all' } } as const;
const FILES = { 'src/cart.ts': 'one\n', 'docs/plan.md': 'See src/later.ts\n' };

const bash = (line: string) => () => [{ tool: 'bash', args: { line } }];

async function run(
  model: RecordedModel,
  local: Readonly<Record<string, unknown>> = ON,
): Promise<ReturnType<typeof createTestTerminal>> {
  const workspace = await workspaceOf({ local: model }, { files: FILES, local });
  const terminal = createTestTerminal(workspace);
  await terminal.signalbox('run', 'Repair src/basket.ts', '--until', 'true');
  return terminal;
}

test('a model reads which of its paths does not exist, once, and what it may have meant (S001-123) (setting: agent.hallucination_detection)', async () => {
  const model = await startRecordedModel([bash('cat src/crt.ts'), bash('cat src/crt.ts')]);
  const terminal = await run(model);
  expect(model.answersTo(1)[0]).toContain(
    '[note from Signalbox, not part of the answer: src/crt.ts does not exist: did you mean src/cart.ts?]',
  );
  expect(model.answersTo(2)[0]).not.toContain('did you mean');
  expect((await terminal.signalbox('stats')).out).toContain(
    'Calls with possibly made-up paths or ids: local 1',
  );
});

test('calls are checked if it is on and, with a list of reasoning models, only theirs (S001-124) (setting: agent.reasoning_model_detection)', async () => {
  const notesWith = async (agent: Readonly<Record<string, unknown>>) => {
    await using own = await openTestRuntime({ files: FILES, settings: { ...ON, agent } });
    const calls = ['openai', 'local'].map((id) => own.call(id, 'bash', { line: 'cat src/crt.ts' }));
    return (await Promise.all(calls)).map(({ notes }) => notes?.length ?? 0);
  };
  expect(await notesWith({})).toEqual([0, 0]);
  expect(await notesWith(ON.agent)).toEqual([1, 1]);
  expect(await notesWith({ ...ON.agent, reasoning_model_detection: ['local'] })).toEqual([0, 1]);
});

test('what the task, a file or an earlier call of the same turn names is not suspected (S001-123)', async () => {
  const model = await startRecordedModel([
    bash('cat src/basket.ts'),
    () => [{ tool: 'read_file', args: { path: 'docs/plan.md' } }],
    bash('cat src/later.ts'),
    () => [
      { tool: 'write_file', args: { path: 'src/fresh.ts', content: 'new\n' } },
      { tool: 'bash', args: { line: 'cat src/fresh.ts' } },
    ],
    bash('cat src/nowhere/else.rs'),
  ]);
  await run(model);
  for (const turn of [1, 3, 4]) expect(model.answersTo(turn).join()).not.toContain('note from Signalbox');
  expect(model.answersTo(5).join()).toContain('src/nowhere/else.rs does not exist]');
});

test('calls of one turn are each checked; only what one of them may create is not suspected (S001-123)', async () => {
  const model = await startRecordedModel([
    () => [
      { tool: 'read_file', args: { path: 'src/crt.ts' } },
      { tool: 'bash', args: { line: 'cat docs/plans.md' } },
      { tool: 'bash', args: { line: 'touch src/fresh.ts && cat src/fresh.ts' } },
      { tool: 'bash', args: { line: 'cat src/fresh.ts' } },
    ],
  ]);
  await run(model);
  const [read, cat, ...fresh] = model.answersTo(1);
  expect(read).toContain('Did you mean src/cart.ts?');
  expect(cat).toContain('docs/plans.md does not exist: did you mean docs/plan.md?');
  expect(fresh.join()).not.toContain('note from Signalbox');
});

test('a commit that the model never read is named to it; one that it read is not (S001-123)', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: ON });
  const context = { task: 'Look at the history' };
  const bashed = (line: string) => own.submit('local', 'bash', { args: { line }, context }).result;
  const made = '1a2b3c4 is nowhere in this conversation: check it before you rely on it';
  expect((await bashed('git show --stat 1a2b3c4')).notes).toEqual([made]);
  const [head = ''] = (await bashed('git rev-parse HEAD')).stdout.split('\n');
  expect(head).toHaveLength(40);
  expect((await bashed(`git show --stat ${head.slice(0, 9)}`)).notes).toBeUndefined();
});

test('an approver sees it, the call is never refused for it, and runs as approved (S001-125)', async () => {
  await using own = await openTestRuntime({
    files: { 'tools/migrate.py': 'print("done")\n' },
    settings: { agent: ON.agent, rules: [{ id: 'ask-python', ask: { program: 'python3' } }] },
  });
  const args = { line: 'python3 tools/migrat.py --apply' };
  const submitted = own.submit('openai', 'bash', { args });
  const event = await own.event('hallucination_suspect');
  const suspects = [{ kind: 'path', text: 'tools/migrat.py', nearest: ['tools/migrate.py'] }];
  expect(event).toMatchObject({ commandId: submitted.commandId, provider: 'openai', suspects });
  const { callHash } = await own.event('approval_requested');
  const { signalbox } = createTestTerminal(own.workspace);
  const shown = await signalbox('status', submitted.commandId);
  expect(shown.out).toMatch(
    /Made up\? +tools\/migrat\.py does not exist \(did it mean tools\/migrate\.py\?\)/,
  );
  expect((await signalbox('approve', submitted.commandId, '--expect', callHash)).exit).toBe(0);
  const result = await submitted.result;
  expect(result.failure?.code).toBe('exit-code');
  expect(result.notes).toEqual(['tools/migrat.py does not exist: did you mean tools/migrate.py?']);
});

test('an agent that connects is told too, without names that its provider may not read, and metrics count it (R5)', async () => {
  const providers = { openai: { sandbox: { deny_read: ['plans/**'] } } };
  const files = { 'src/cart.ts': 'one\n', 'plans/merger.ts': 'secret\n' };
  await using own = await openTestServer({ files, settings: { ...ON, providers } });
  const agent = await startAgent(own.of.workspace, 'openai');
  try {
    expect(await agent.call('bash', { line: 'cat src/crt.ts' })).toContain('did you mean src/cart.ts?');
    expect(await agent.call('bash', { line: 'cat plans/mergr.ts' })).not.toContain('merger');
    // The failure names it already.
    const read = await agent.call('read_file', { path: 'src/carts.ts' });
    expect(read.match(/src\/cart\.ts/g)).toHaveLength(1);
  } finally {
    await agent.leave();
  }
  const { text } = await own.ask('GET', '/metrics');
  expect(text).toContain('signalbox_hallucination_suspects_total{provider="openai",kind="path"} 2');
});
