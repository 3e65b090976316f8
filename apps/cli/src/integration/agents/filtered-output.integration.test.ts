import { expect, test } from 'vitest';
import { modelReads, overHttp } from '../../testing/mcp-doors.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { type RecordedRequest, startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

/** A package with 200 tests of which two fail, and a build that repeats itself. */
const FILES = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-reporter=spec' } }),
  'cart.test.js': `import test from 'node:test';
import assert from 'node:assert';
for (let n = 1; n <= 200; n += 1) test('adds item ' + n, () => assert.equal(n % 90 === 7, false));
`,
  'build.js': `for (let n = 0; n < 50; n += 1) console.log('waiting for the compiler of the shop');
for (let n = 0; n < 50; n += 1) console.log('chunk ' + String.fromCharCode(97 + (n % 26)).repeat(9) + ' written');
console.error('warning: the chunk is large');
`,
};
const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const TEST = { tool: 'bash', args: { line: 'npm test' } } as const;
const BUILD = { tool: 'bash', args: { line: 'node build.js' } } as const;

function commandIn(request: RecordedRequest): string {
  return /command (cmd_\w+)/.exec(JSON.stringify(request.messages.at(-1)))?.[1] ?? 'none';
}

/** What a model reads of these calls, made in one turn each. */
async function answersTo(
  calls: readonly (typeof TEST | typeof BUILD)[],
  local: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const model = await startRecordedModel(calls.map((call) => () => [call]));
  const workspace = await workspaceOf({ local: model }, { files: FILES, local: { ...FREE, ...local } });
  await createTestTerminal(workspace).signalbox('run', 'Mend the cart', '--until', 'true');
  return calls.map((_, at) => model.answersTo(at + 1)[0] ?? '');
}

test('after failing tests a model reads their names, places and counts, and how to read the rest (S001-43, S001-47, M1)', async () => {
  const model = await startRecordedModel([
    () => [TEST],
    (request) => [{ tool: 'read_output', args: { command: commandIn(request), search: 'adds item 150' } }],
  ]);
  const workspace = await workspaceOf({ local: model }, { files: FILES, local: FREE });
  await createTestTerminal(workspace).signalbox('run', 'Mend the cart', '--until', 'true');
  const [answer = ''] = model.answersTo(1);
  for (const needed of [
    '✖ adds item 7',
    '✖ adds item 97',
    '✖ adds item 187',
    'cart.test.js:3',
    'ℹ fail 3',
    'ℹ pass 197',
  ])
    expect(answer).toContain(needed);
  expect(answer).not.toContain('adds item 150');
  expect(answer.length).toBeLessThan(5000);
  expect(answer).toMatch(
    /\nfiltered: \d+ lines of stdout left out \(filter node-test; call read_output with command cmd_\w{12}, stream stdout, and first_line, tail or search\)/,
  );
  expect(model.answersTo(2)[0]).toMatch(/✔ adds item 150/);
});

test('the history says which filter was used, and what it saved (S001-45, S001-48)', async () => {
  const model = await startRecordedModel([() => [BUILD]]);
  const workspace = await workspaceOf({ local: model }, { files: FILES, local: FREE });
  const terminal = createTestTerminal(workspace);
  await terminal.signalbox('run', 'Mend the cart', '--until', 'true');
  const history = await terminal.signalbox('history', '--json');
  const commands = history.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { context: { sessionId: string }; result: { filtered?: object } });
  const session = commands.find(({ result }) => result.filtered !== undefined)?.context.sessionId ?? '';
  expect((await terminal.signalbox('status', session)).out).toMatch(
    /^saved +about \d+ tokens {3}\d+ by filters$/m,
  );
  expect(commands.flatMap(({ result }) => result.filtered ?? [])).toMatchObject([
    { filter: 'plain', confidence: 'full', lines: 101 },
  ]);
});

test('over MCP an agent reads the same (S001-43)', async () => {
  await using own = await openTestServer({ files: FILES, settings: FREE });
  const client = await overHttp(own, 'legacy');
  try {
    const { text } = modelReads(
      await client.callTool({ name: 'signalbox_bash', arguments: { line: 'npm test' } }),
    );
    for (const needed of ['✖ adds item 7', '✖ adds item 97', '✖ adds item 187', 'cart.test.js:3'])
      expect(text).toContain(needed);
    expect(text).not.toContain('adds item 150');
    expect(text).toMatch(/filter node-test; call signalbox_read_output with command cmd_/);
    expect(text.length).toBeLessThan(5500);
  } finally {
    await client.close();
  }
});

test('a model that may not call read_output is not told to', async () => {
  const [answer] = await answersTo([BUILD], { providers: { local: { tools: ['bash'] } } });
  expect(answer).toContain('waiting for the compiler of the shop  ×50');
  expect(answer).toContain('filtered: 49 lines of stdout left out (filter plain)');
});

test('filters can be switched off as a whole (setting: filters.enabled)', async () => {
  const [answer] = await answersTo([BUILD], { filters: { enabled: false } });
  expect(answer).not.toContain('filtered:');
  expect(answer?.match(/waiting for the compiler/g)).toHaveLength(50);
});

test('filters can be switched off by name (setting: filters.off)', async () => {
  const [tests, build] = await answersTo([TEST, BUILD], { filters: { off: ['plain'] } });
  expect(build?.match(/waiting for the compiler/g)).toHaveLength(50);
  expect(tests).toContain('filter node-test');
});

test('filters can be switched off for a provider (setting: filters.except_providers)', async () => {
  const [answer] = await answersTo([BUILD], { filters: { except_providers: ['local'] } });
  expect(answer?.match(/waiting for the compiler/g)).toHaveLength(50);
});

test('a filter of the settings leaves out the lines it names, but no warning (S001-49, M4) (setting: filters.define)', async () => {
  const chunks = { match: { prefix: 'node build.js' }, strip: ['^chunk', 'warning'], summary: '^chunk' };
  const [answer] = await answersTo([BUILD], { filters: { define: { chunks } } });
  expect(answer).not.toContain('chunk aaa');
  expect(answer).toContain('warning: the chunk is large');
  expect(answer).toContain('(filter chunks;');
});
