import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProviderId } from '@signalbox/core';
import { shownJobs, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { accessOf } from '../../testing/access-of.ts';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const TASK = 'Mend the cart';
const WARNING = { tool: 'bash', args: { line: 'touch a.txt' } } as const;
const PRICES = { input_per_million: 900, output_per_million: 1000 };

/** A model that wants more turns than it gets; at {@link PRICES} each costs a dollar. */
const keenModel = () =>
  startRecordedModel(
    Array.from({ length: 9 }, () => () => [WARNING]),
    { usage: { inputTokens: 1000, outputTokens: 100 } },
  );

test('a provider without tool calling, one with a rate limit, and one whose server fails twice: each request follows its settings', async () => {
  const readsAndEnds = () =>
    [0, 1].map((turn) => () => [{ tool: 'echo', args: { text: `turn ${turn}` } }] as const);
  const [small, limited] = [await startRecordedModel([]), await startRecordedModel(readsAndEnds())];
  const flaky = await startRecordedModel([], { failures: 2 });
  const workspace = await workspaceOf(
    { small, limited, flaky },
    {
      local: {
        tools: { retry: { max_attempts: 3, base_ms: 1 } },
        providers: {
          small: { native_tools: false, temperature: null, tools: ['echo'] },
          limited: { rate_limit_per_hour: 1, tools: ['echo'] },
          flaky: { tools: ['echo'] },
        },
      },
    },
  );
  const { signalbox } = createTestTerminal(workspace);
  await signalbox('run', TASK, '-p', 'small', '-p', 'limited', '-p', 'flaky', '--until', 'true');
  expect(small.received.map(({ body }) => body)).toEqual([
    {
      model: 'recorded',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        {
          role: 'system',
          content: expect.stringMatching(/^You work on a task[^]*```tool_call[^]*Returns the given text/),
        },
        { role: 'user', content: TASK },
      ],
      max_tokens: 8192,
    },
  ]);
  const [ran = '', refused = ''] = [1, 2].flatMap((turn) => limited.answersTo(turn));
  expect(ran).toBe('turn 0');
  expect(refused).toContain('Rate limit exceeded: provider limited may make 1 call an hour');
  expect(limited.received[0]?.body).toMatchObject({ temperature: 0.7 });
  // Attempts of one turn: the same request.
  const [first, second, third, ...more] = flaky.received.map(({ body }) => body);
  expect([second, third, ...more]).toEqual([first, first]);
});

test('a budget ends a session before its next request; without tool execution no tool is offered, and none runs', async () => {
  const model = await keenModel();
  const workspace = await workspaceOf(
    { local: model },
    {
      local: {
        budget: 1.5,
        agents: { tool_execution: { enabled: false } },
        providers: { local: { prices: PRICES } },
      },
    },
  );
  const { talk } = await createTestTerminal(workspace).signalbox('run', TASK, '--until', 'true');
  expect(talk).toContain('cost=$2.00');
  expect(model.requests.map(({ tools }) => tools)).toEqual([[], []]);
  expect(model.answersTo(1)).toEqual([expect.stringContaining('bash: tool calls are turned off')]);
});

test('flags of run come before the settings: turns, budget and priority', async () => {
  const model = await keenModel();
  const local = {
    budget: 0.5,
    agents: { tool_execution: { max_iterations: 1 } },
    providers: { local: { priority: 7, prices: PRICES } },
  };
  const workspace = await workspaceOf({ local: model }, { local });
  const flags = ['--turns', '3', '--budget', '2.5', '--priority', '4'];
  await createTestTerminal(workspace).signalbox('run', TASK, ...flags, '--until', 'true');
  expect(model.received).toHaveLength(3);
  const { commands } = await clientAt(accessOf(workspace)).listCommands({
    provider: ProviderId.parse('local'),
  });
  expect(commands.map(({ context }) => context.priority)).toEqual([4, 4, 4]);
});

test('on Redis the priority of a provider is that of its jobs in BullMQ', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => redis.close());
  const calls = [() => [WARNING]] as const;
  const [openai, local] = [await startRecordedModel(calls), await startRecordedModel(calls)];
  const providers = { openai: { priority: 3 }, local: { priority: 9 } };
  const workspace = await workspaceOf({ openai, local }, { local: { providers } });
  const { signalbox } = createTestTerminal(workspace, { env: { SIGNALBOX_REDIS_URL: redis.url } });
  await signalbox('run', TASK, '-p', 'openai', '-p', 'local', '--until', 'true');
  const name = readFileSync(join(workspace, '.signalbox/workspace-id'), 'utf8').trim();
  const jobs = await shownJobs(redis.url, name);
  expect(jobs.map(({ provider, priority }) => `${provider} ${priority}`).toSorted()).toEqual([
    'local 9',
    'openai 3',
    'you 100',
  ]);
});
