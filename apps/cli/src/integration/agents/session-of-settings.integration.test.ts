import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProviderId, toToolOffer } from '@signalbox/core';
import { catalogue } from '@signalbox/tools';
import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { accessOf } from '../../testing/access-of.ts';
import { type RecordedModel, startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const TASK = 'Mend the cart';
const KEYS = { MY_OPENAI: 'sk-of-openai', MY_ANTHROPIC: 'sk-of-anthropic', MY_DEEPSEEK: 'sk-of-deepseek' };
const USAGE = { inputTokens: 1000, outputTokens: 100 };

/** A warning by its level: what it needs depends on the provider's trust. */
const WARNING = { tool: 'bash', args: { line: 'touch a.txt' } } as const;
const THINKS = 'The file is missing.';

/** A model that makes that call in every turn. */
const keenModel = (): Promise<RecordedModel> =>
  startRecordedModel(
    Array.from({ length: 9 }, () => () => [WARNING]),
    { thinks: THINKS, usage: USAGE },
  );

/** As its definition says, in the words of both protocols. */
function offered(...names: readonly string[]) {
  return names.map((name) => {
    const tool = catalogue().find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return toToolOffer(tool);
  });
}

const chatTools = (...names: readonly string[]) =>
  offered(...names).map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));

/** The system prompt, which has no setting. */
const PROMPT: unknown = expect.stringMatching(/^You work on a task in a directory tree, the workspace/);
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

test('each setting of a provider is in the requests that its server receives, and in the context of its first call', async () => {
  const [openai, anthropic, deepseek] = [await keenModel(), await keenModel(), await keenModel()];
  const workspace = await workspaceOf(
    { openai, anthropic, deepseek },
    {
      local: {
        approval: { expiry: '1s', on_expiry: 'deny', prompt_on_warning: true },
        agents: { tool_execution: { max_iterations: 2 } },
        providers: {
          openai: {
            api_key_env: 'MY_OPENAI',
            model: 'model-o',
            temperature: 0.2,
            max_output_tokens: 111,
            trust: 'trusted',
            priority: 3,
            tools: ['bash', 'echo'],
          },
          anthropic: {
            api: 'anthropic-messages',
            base_url: anthropic.root,
            api_key_env: 'MY_ANTHROPIC',
            model: 'model-a',
            max_output_tokens: 222,
            priority: 50,
            tools: ['bash', 'read_file', 'git.*'],
          },
          deepseek: {
            api_key_env: 'MY_DEEPSEEK',
            model: 'model-d',
            temperature: 1.5,
            max_output_tokens: 333,
            trust: 'untrusted',
            tools: ['bash'],
          },
        },
      },
    },
  );
  const { signalbox } = createTestTerminal(workspace, { env: KEYS });
  await signalbox('run', TASK, '-p', 'openai', '-p', 'anthropic', '-p', 'deepseek', '--until', 'true');

  // `max_iterations`: every model wanted more turns.
  expect([openai, anthropic, deepseek].map(({ received }) => received.length)).toEqual([2, 2, 2]);
  const start = [
    { role: 'system', content: PROMPT },
    { role: 'user', content: TASK },
  ];
  const toolCall = {
    id: 'call_1_0',
    type: 'function',
    function: { name: WARNING.tool, arguments: JSON.stringify(WARNING.args) },
  };
  const ofOpenai = {
    model: 'model-o',
    stream: true,
    stream_options: { include_usage: true },
    messages: start,
    max_tokens: 111,
    temperature: 0.2,
    tools: chatTools('bash', 'compress_context', 'echo'),
    parallel_tool_calls: true,
  };
  expect(openai.received.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/chat/completions', ofOpenai],
    [
      '/v1/chat/completions',
      {
        ...ofOpenai,
        messages: [
          ...start,
          { role: 'assistant', content: null, tool_calls: [toolCall] },
          { role: 'tool', tool_call_id: 'call_1_0', content: expect.stringMatching(/^exit code: 0/) },
        ],
      },
    ],
  ]);

  const gitTools = catalogue().flatMap(({ name }) => (name.startsWith('git_') ? [name] : []));
  const tools = offered(...['bash', 'compress_context', 'read_file', ...gitTools].toSorted()).map(
    ({ name, description, inputSchema }, index, all) => ({
      name,
      description,
      input_schema: inputSchema,
      ...(index === all.length - 1 ? CACHED : {}),
    }),
  );
  const ofAnthropic = {
    model: 'model-a',
    stream: true,
    // Its preset sends no temperature.
    max_tokens: 222,
    system: [{ type: 'text', text: PROMPT, ...CACHED }],
    messages: [{ role: 'user', content: [{ type: 'text', text: TASK }] }],
    tools,
    tool_choice: { type: 'auto', disable_parallel_tool_use: false },
  };
  expect(anthropic.received.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/messages', ofAnthropic],
    [
      '/v1/messages',
      {
        ...ofAnthropic,
        messages: [
          ...ofAnthropic.messages,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: THINKS, signature: 'signed' },
              { type: 'tool_use', id: 'call_1_0', name: WARNING.tool, input: WARNING.args },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'call_1_0',
                content: expect.stringMatching(/^\[tool_error\]\ncategory: ConfirmationRequired/),
                is_error: true,
              },
            ],
          },
        ],
      },
    ],
  ]);

  const ofDeepseek = {
    ...ofOpenai,
    model: 'model-d',
    max_tokens: 333,
    temperature: 1.5,
    tools: chatTools('bash', 'compress_context'),
  };
  expect(deepseek.received.map(({ body }) => body)).toEqual([
    ofDeepseek,
    {
      ...ofDeepseek,
      messages: [
        ...start,
        // Its preset: `echo_reasoning`.
        { role: 'assistant', content: null, reasoning_content: THINKS, tool_calls: [toolCall] },
        {
          role: 'tool',
          tool_call_id: 'call_1_0',
          content: expect.stringMatching(/^\[tool_error\]\ncategory: ConfirmationRequired/),
        },
      ],
    },
  ]);

  const headers = [openai, anthropic, deepseek].map(({ received }) => received[0]?.headers);
  expect(headers).toMatchObject([
    { authorization: `Bearer ${KEYS.MY_OPENAI}` },
    { authorization: `Bearer ${KEYS.MY_ANTHROPIC}` },
    { authorization: `Bearer ${KEYS.MY_DEEPSEEK}` },
  ]);

  // The context of each first call.
  const client = clientAt(accessOf(workspace));
  const audit = auditIn(workspace);
  const asFirst = async (id: string) => {
    const page = await client.listCommands({ provider: ProviderId.parse(id), limit: 100 });
    const record = page.commands.at(-1);
    if (record === undefined) throw new Error(`no command of ${id}`);
    const line = audit.find(({ command_id: command }) => command === record.id);
    const explained = await signalbox('--json', 'policy', 'explain', record.id);
    const { ruling } = JSON.parse(explained.out) as { ruling: { kind: string; rule: string } };
    const { sessionId, provider, phase, trust, priority, tools: declared, task } = record.context;
    return {
      context: { provider, phase, trust, priority, declared, task },
      line: {
        session: line?.['session_id'] === sessionId,
        provider: line?.['provider'],
        caller: line?.['caller_id'],
        phase: line?.['phase'],
        trust: line?.['trust'],
        rule: line?.['rule'],
      },
      ruling: `${ruling.kind} ${ruling.rule}`,
    };
  };
  const inLine = { session: true, caller: null, phase: 'executor' };
  const inContext = { phase: 'executor', task: TASK };
  expect(await asFirst('openai')).toEqual({
    context: {
      ...inContext,
      provider: 'openai',
      trust: 'trusted',
      priority: 3,
      declared: ['bash', 'echo', 'find_tools'],
    },
    line: { ...inLine, provider: 'openai', trust: 'trusted', rule: 'trusted-auto' },
    ruling: 'allow trusted-auto',
  });
  expect(await asFirst('anthropic')).toEqual({
    context: {
      ...inContext,
      provider: 'anthropic',
      trust: 'provisional',
      priority: 50,
      declared: expect.arrayContaining(['bash', 'read_file', 'git_status']),
    },
    line: { ...inLine, provider: 'anthropic', trust: 'provisional', rule: 'warning-asks' },
    ruling: 'ask warning-asks',
  });
  const untrusted = { provider: 'deepseek', trust: 'untrusted' };
  expect(await asFirst('deepseek')).toEqual({
    context: { ...inContext, ...untrusted, priority: 100, declared: ['bash', 'find_tools'] },
    line: { ...inLine, ...untrusted, rule: 'untrusted-asks' },
    ruling: 'ask untrusted-asks',
  });

  // The line that checks the run is the user's own, and is judged as verification.
  expect(audit.filter(({ provider }) => provider === 'you')).toMatchObject([
    { call: { line: 'true' }, trust: 'trusted', phase: 'verifier', caller_id: null },
  ]);
});

function auditIn(workspace: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(join(workspace, '.signalbox/audit.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as Record<string, unknown>);
}
