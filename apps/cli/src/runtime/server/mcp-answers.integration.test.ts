import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelReads, overHttp, overStdio } from '../../testing/mcp-doors.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

/** What agents show their models: only the text, or the text instead of `structuredContent`, which would hide it. */
const TRANSPORTS = [
  ['HTTP of 2025', (own: TestServer) => overHttp(own, 'legacy')],
  ['HTTP of 2026', (own: TestServer) => overHttp(own, { pin: '2026-07-28' })],
  ['standard input and output', overStdio],
] as const;

/** A name that a model may use, and what it is told. */
const MISNAMED = [
  ['Read', '"Read"; did you mean "signalbox_read_file"?'],
  ['Bash', '"Bash"; did you mean "signalbox_bash"?'],
  ['signalbox_readFile', '"readFile"; did you mean "signalbox_read_file"?'],
  ['signalbox_read-file', '"read-file"; did you mean "signalbox_read_file"?'],
  [
    'mcp__signalbox__signalbox_read_file',
    '"mcp__signalbox__signalbox_read_file"; did you mean "signalbox_read_file"?',
  ],
  ['signalbox_', '""'],
] as const;

const ASKING = { approval: { prompt_on_warning: true } };

/** Keywords anywhere in a schema that not every agent or model supports. */
function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties = {}, items, ...rest } = schema as Record<string, object>;
  const found = ['$ref', '$defs', 'oneOf', 'anyOf', 'allOf', 'pattern'].filter((key) => key in rest);
  if (Array.isArray(type)) found.push('type');
  return [...found, ...Object.values(properties).flatMap(keywordsOf), ...keywordsOf(items)];
}

describe.for(TRANSPORTS)('over %s', ([, connect]) => {
  test('one text tells the model everything: a success, a failure, a stale write, what was cut (A-B1)', async () => {
    const word = randomUUID();
    await using own = await openTestServer({
      files: { 'a.txt': `${word}\n`, 'b.txt': 'old\n' },
      settings: { approval: { approval_mode: 'allow_all' } },
    });
    const client = await connect(own);
    const call = async (tool: string, args: object) =>
      modelReads(await client.callTool({ name: `signalbox_${tool}`, arguments: { ...args } }));
    try {
      const read = await call('read_file', { path: 'a.txt' });
      expect(read.text.split('\n').slice(1, -1)).toEqual([word]);
      expect(read.first).toBe(`[signalbox] command ${read.id} · completed`);

      const wrote = await call('bash', { line: `echo ${word} && echo new > b.txt` });
      expect(wrote.text).toContain(`\nstdout:\n${word}\n`);
      expect(wrote.last).toBe(
        `[signalbox] end of command ${wrote.id} · completed · exit code 0 · changed: b.txt (modified)`,
      );

      const failed = await call('bash', { line: `echo ${word}; echo ${word}2 >&2; exit 3` });
      expect(failed.text).toContain(`stdout:\n${word}\nstderr:\n${word}2\n`);
      expect(failed.first).toBe(`[signalbox] command ${failed.id} · failed · exit code 3`);

      await own.of.call('you', 'bash', { line: `echo theirs ${word} > a.txt` });
      const stale = await call('edit_file', { path: 'a.txt', oldText: word, newText: 'mine' });
      expect(stale.text).toContain(`+theirs ${word}`);
      expect(stale.first).toBe(`[signalbox] command ${stale.id} · conflict`);
      expect([read, wrote, failed].flatMap(({ notes }) => notes)).toEqual([]);
      expect(stale.notes).toEqual(['[signalbox] a person changed a.txt (1 line) since you read it']);

      const long = await call('bash', { line: `echo ${word}1; seq 1 40000; echo ${word}2` });
      expect(long.text.length).toBeLessThanOrEqual(25_000);
      expect(long.text).toContain(`\nstdout:\n${word}1\n1\n2\n`);
      expect(long.text).toContain(`\n40000\n${word}2\n`);
      const gap = /\n(\d+)\n\[signalbox\] \d+ lines \(\d+ characters\) left out here · read on: (.*)\n/.exec(
        long.text,
      );
      expect(gap?.[2]).toBe(
        `signalbox_read_output {"command":"${long.id}","stream":"stdout","first_line":${Number(gap?.[1]) + 2}}`,
      );
      const longFailure = await call('bash', { line: `seq 1 40000; echo ${word}; exit 1` });
      expect(longFailure.text.length).toBeLessThanOrEqual(9000);
      expect(longFailure.text).toContain(`\n40000\n${word}\n`);
    } finally {
      await client.close();
    }
  });

  test('one text tells the model why a person denied, and what a call waits for (A-B1)', async () => {
    const word = randomUUID();
    await using own = await openTestServer({ settings: ASKING });
    const client = await connect(own);
    try {
      const sent = client.callTool({ name: 'signalbox_bash', arguments: { line: `touch ${word}` } });
      const asked = await own.of.event('approval_requested');
      const wait = { command: asked.commandId, seconds: 1 };
      const waits = modelReads(await client.callTool({ name: 'signalbox_wait', arguments: wait }));
      expect(waits.first).toBe(`[signalbox] command ${asked.commandId} · waiting · for a person's approval`);
      expect(waits.text.split('\n').slice(1, -1)).toEqual([
        `bash touch ${word}`,
        `Tell your user: approve it with \`signalbox approve ${asked.commandId.slice(4, 8)}\` in a terminal, deny it with \`signalbox deny ${asked.commandId.slice(4, 8)}\`, or in the dashboard: ${own.url}/#/approvals/${asked.commandId}`,
        `Call signalbox_wait with {"command":"${asked.commandId}"}; do not repeat the call.`,
      ]);
      const body = { callHash: asked.callHash, reason: `not today ${word}` };
      await own.ask('POST', `/api/approvals/${asked.commandId}/refuse`, { body });
      const refused = modelReads(await sent);
      expect(refused.text).toContain(`not today ${word}`);
      expect(refused.first).toBe(`[signalbox] command ${asked.commandId} · denied`);
    } finally {
      await client.close();
    }
  });

  test('bash and file tools accept the argument names of other agents', async () => {
    await using own = await openTestServer({ files: { 'a.txt': 'hello\n' } });
    const client = await connect(own);
    const call = async (tool: string, args: object) =>
      modelReads(await client.callTool({ name: `signalbox_${tool}`, arguments: { ...args } }));
    try {
      for (const args of [{ line: 'echo hi' }, { command: 'echo hi' }, { cmd: 'echo hi', timeout: 20 }])
        expect((await call('bash', args)).text).toContain('stdout:\nhi\n');
      const slow = await call('bash', { command: 'sleep 600', timeout: 1000 });
      expect(slow.first).toContain(' · timed out');
      expect((await call('read_file', { file_path: 'a.txt' })).text).toContain('hello');
      const wrong = await call('bash', { lin: 'echo hi' });
      expect(wrong.text).toContain('bash has no argument "lin" (did you mean "line"?)');
    } finally {
      await client.close();
    }
  });

  test('a command of another provider is unknown (A-B10)', async () => {
    await using own = await openTestServer();
    const { commandId } = await own.of.call('openai', 'bash', { line: 'echo theirs' });
    const client = await connect(own);
    try {
      const foreign = await client.callTool({ name: 'signalbox_wait', arguments: { command: commandId } });
      expect(foreign).toMatchObject({
        isError: true,
        content: [
          {
            type: 'text',
            text: expect.stringMatching(
              new RegExp(`^\\[signalbox\\] nothing was done\nCannot find command ${commandId}\n`),
            ),
          },
        ],
      });
    } finally {
      await client.close();
    }
  });

  test('calling a tool by another name returns the right name, in one line of the audit log', async () => {
    await using own = await openTestServer();
    const client = await connect(own);
    try {
      for (const [name, reported] of MISNAMED) {
        const answer = modelReads(await client.callTool({ name, arguments: { path: 'a' } }));
        expect(answer.first).toBe(`[signalbox] command ${answer.id} · failed`);
        expect(answer.text).toContain(`Unknown tool ${reported}`);
      }
      expect(own.of.auditLines()).toMatchObject(
        MISNAMED.map(() => ({ provider: 'codex', result: 'failed' })),
      );
    } finally {
      await client.close();
    }
  });

  test('calling a tool that does not exist returns a plain error, adds one line to the audit log, and is the same for every session', async () => {
    await using own = await openTestServer();
    const client = await connect(own);
    try {
      const misspelt = modelReads(
        await client.callTool({ name: 'signalbox_bsh', arguments: { line: 'echo hi' } }),
      );
      expect(misspelt.first).toBe(`[signalbox] command ${misspelt.id} · failed`);
      expect(misspelt.text).toContain('Unknown tool "bsh"; did you mean "signalbox_bash"?');
      expect(misspelt.text).toMatch(
        /Call signalbox_bash, or another of: signalbox_ask_person, signalbox_bash, [a-z_, ]+/,
      );
      const unlike = await client.callTool({ name: 'mcp__other__charge_card', arguments: {} });
      expect(unlike).toMatchObject({ isError: true });
      expect(modelReads(unlike).text).toMatch(
        /Unknown tool "mcp__other__charge_card"[^?]*Call one of: signalbox_ask_person, signalbox_bash, /,
      );
      expect(own.of.auditLines()).toMatchObject([
        { provider: 'codex', tool: 'bsh', result: 'failed' },
        { provider: 'codex', tool: 'mcp__other__charge_card', result: 'failed' },
      ]);
      const ofSession = await own.of.call('openai', 'bsh', { line: 'echo hi' });
      // Same text except for the names and the one tool that only agents have.
      const said = misspelt.text.split('\n').slice(1, -1).join('\n');
      expect(said.replaceAll('signalbox_', '').replace(', wait\n', '\n')).toBe(ofSession.content.trimEnd());
    } finally {
      await client.close();
    }
  });

  test('every tool has a title, correct hints and a flat schema, and none has an output schema (A-B1, A-B9)', async () => {
    await using own = await openTestServer();
    const client = await connect(own);
    try {
      const { tools } = await client.listTools();
      for (const { name, title, description, inputSchema, outputSchema, annotations, _meta } of tools) {
        expect({ name, title }).toEqual({ name, title: expect.stringMatching(/^[A-Z][a-z ]+$/) });
        expect(description?.length).toBeLessThan(2048);
        expect(outputSchema).toBeUndefined();
        expect(keywordsOf(inputSchema)).toEqual([]);
        expect(Object.values(annotations ?? {})).not.toContain(undefined);
        expect(_meta).toEqual({ 'anthropic/alwaysLoad': true });
      }
      const hintsOf = (tool: string) => tools.find(({ name }) => name === `signalbox_${tool}`)?.annotations;
      for (const tool of ['run_tests', 'run_linter', 'git_add', 'git_commit'])
        expect(hintsOf(tool)).toMatchObject({ readOnlyHint: false, destructiveHint: false });
      for (const tool of ['write_file', 'edit_file', 'delete_file', 'bash'])
        expect(hintsOf(tool)).toMatchObject({ readOnlyHint: false, destructiveHint: true });
      for (const tool of ['read_file', 'git_status', 'wait'])
        expect(hintsOf(tool)).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(client.getInstructions()?.length).toBeLessThanOrEqual(512);
    } finally {
      await client.close();
    }
  });
});

test('a call that waits for a test run is told whose it is, how long it has run, and which setting decides', async () => {
  const tests = 'bash -c "until grep -q go go.txt; do sleep 0.05; done"';
  const settings = { tests, isolation: 'stable', approval: { approval_mode: 'allow_all' } };
  await using own = await openTestServer({ files: { 'go.txt': '' }, settings });
  for (const connect of [(of: TestServer) => overHttp(of, 'legacy'), overStdio]) {
    writeFileSync(join(own.of.workspace, 'go.txt'), '');
    const runs = own.of.submit('openai', 'run_tests', { args: {} });
    await own.of.event('command_started', ({ commandId }) => commandId === runs.commandId);
    const client = await connect(own);
    try {
      const path = `${randomUUID()}.txt`;
      const sent = client.callTool({ name: 'signalbox_write_file', arguments: { path, content: 'x' } });
      const queued = await own.of.event('command_queued', ({ title }) => title.endsWith(path));
      const wait = { command: queued.commandId, seconds: 1 };
      const waits = modelReads(await client.callTool({ name: 'signalbox_wait', arguments: wait }));
      const by = `openai holds (${runs.commandId.slice(4, 8)}, a test run, running for 0:`;
      expect(waits.first).toContain(`· waiting · for files that ${by}`);
      expect(waits.text).toContain('only with isolation: stable in signalbox.yaml');
      writeFileSync(join(own.of.workspace, 'go.txt'), 'go\n');
      expect(modelReads(await sent).first).toContain('completed');
    } finally {
      await client.close();
    }
  }
});
