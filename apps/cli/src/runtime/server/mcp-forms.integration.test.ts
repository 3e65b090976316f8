import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parseSettings, ProviderId, type Settings } from '@signalbox/core';
import { describe, expect, test, vi } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { hostGit } from '../../testing/host-git.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

const ERAS = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
] as const;
const ASKING = { settings: { approval: { prompt_on_warning: true } } };

type Form = { readonly message: string };
type Filled = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };

/** An agent that shows forms to its user, over stdio as `connect` sets it up. */
async function connect(
  own: TestServer,
  mode: (typeof ERAS)[number][1],
  person: (form: Form) => Filled | Promise<Filled>,
): Promise<Client> {
  const client = formClient(mode, person);
  const args = [MAIN, '-C', own.of.workspace, 'mcp', '--provider', 'codex'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
}

function formClient(
  mode: (typeof ERAS)[number][1],
  person: (form: Form) => Filled | Promise<Filled>,
): Client {
  const client = new Client(
    { name: 'codex', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => person(params));
  return client;
}

function withRules(rules: readonly object[]): Settings {
  const parsed = parseSettings({ ...ASKING.settings, rules });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

async function bash(client: Client, line: string): Promise<string> {
  const { content } = await client.callTool({ name: 'signalbox_bash', arguments: { line } });
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

describe.for(ERAS)('an agent of %s', ([, mode]) => {
  test('shows its user the approval, and a yes there counts', async () => {
    await using own = await openTestServer(ASKING);
    const forms: Form[] = [];
    const client = await connect(own, mode, (form) => {
      forms.push(form);
      return { action: 'accept', content: { answer: 'approve' } };
    });
    expect(await bash(client, 'touch yes.txt')).toContain('changed: yes.txt (created)');
    expect(forms.map(({ message }) => message.split('\n').slice(0, 2))).toEqual([
      ['Signalbox: may codex run this?', 'bash touch yes.txt'],
    ]);
    expect(own.of.auditLines()).toHaveLength(1);
    await client.close();
  });

  test('shows its user a question of its model, and the answer is the result', async () => {
    await using own = await openTestServer(ASKING);
    const forms: Form[] = [];
    const client = await connect(own, mode, (form) => {
      forms.push(form);
      return { action: 'accept', content: { answer: 'PostgreSQL' } };
    });
    const question = { question: 'Which\ndatabase?', choices: ['SQLite', 'PostgreSQL'], allow_text: false };
    const asked = await client.callTool({ name: 'signalbox_ask_person', arguments: question });
    expect(JSON.stringify(asked.content)).toContain('completed\\nPostgreSQL');
    expect(forms.map(({ message }) => message.split('\n').slice(0, 2))).toEqual([
      ['codex asks:', 'Which database?'],
    ]);
    const { by, answer } = await own.of.event('question_answered');
    expect([by.channel, answer]).toEqual(['mcp', 'PostgreSQL']);
    await client.close();
  });

  test('shows its user the hidden characters in a name', async () => {
    await using own = await openTestServer(ASKING);
    const forms: Form[] = [];
    const client = await connect(own, mode, (form) => {
      forms.push(form);
      return { action: 'accept', content: { answer: 'approve' } };
    });
    expect(await bash(client, "touch 'a\u200Bb\u2066c'")).toContain('changed: a<U+200B>b<U+2066>c (created)');
    expect(forms.map(({ message }) => message.split('\n')[1])).toEqual(["bash touch 'a<U+200B>b<U+2066>c'"]);
    await client.close();
  });

  test('passes the reason of a denial on to its model', async () => {
    await using own = await openTestServer(ASKING);
    const answered = { action: 'accept', content: { answer: 'deny', reason: 'not on a Friday' } } as const;
    const client = await connect(own, mode, () => answered);
    expect(await bash(client, 'touch no.txt')).toMatch(/ · denied\n[^]*not on a Friday/);
    await client.close();
  });

  test('gives its user five more minutes, and asks again', async () => {
    await using own = await openTestServer(ASKING);
    const answers = ['5 more minutes', '5 more minutes', 'approve'];
    let forms = 0;
    const client = await connect(own, mode, () => {
      forms += 1;
      return { action: 'accept', content: { answer: answers.shift() ?? 'deny' } };
    });
    expect(await bash(client, 'touch yes.txt')).toContain('changed: yes.txt (created)');
    expect(forms).toBe(3);
    const { by, expiresAt } = await own.of.event('approval_extended');
    const asked = await own.of.event('approval_requested');
    expect([by.channel, expiresAt - asked.expiresAt]).toEqual(['mcp', 5 * 60_000]);
    await client.close();
  });

  test('decides nothing if it declines by itself, or accepts without an answer', async () => {
    await using own = await openTestServer(ASKING);
    const seen = new Set<string>();
    const fillings: Filled[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: {} },
    ];
    for (const filling of fillings) {
      const client = await connect(own, mode, () => filling);
      const waits = bash(client, 'touch later.txt');
      const asked = await own.of.event('approval_requested', ({ commandId }) => !seen.has(commandId));
      seen.add(asked.commandId);
      const body = { callHash: asked.callHash, reason: 'asked elsewhere' };
      await own.ask('POST', `/api/approvals/${asked.commandId}/refuse`, { body });
      expect(await waits).toContain('asked elsewhere');
      await client.close();
    }
  });

  test('counts only for the approval in its form, not for one that was renewed meanwhile', async () => {
    await using own = await openTestServer(ASKING);
    const open = Promise.withResolvers<void>();
    const person = Promise.withResolvers<Filled>();
    const client = await connect(own, mode, () => {
      open.resolve();
      return person.promise;
    });
    const waits = bash(client, 'touch later.txt');
    const asked = await own.of.event('approval_requested');
    await open.promise;
    own.of.runtime.applyPolicy(withRules([{ id: 'no-echo', deny: { program: 'echo' } }]));
    const anew = await own.of.event('approval_requested', ({ callHash }) => callHash !== asked.callHash);
    const answers = vi.spyOn(own.of.runtime.coordinator.approvals, 'answer');
    person.resolve({ action: 'accept', content: { answer: 'approve' } });
    await vi.waitFor(() => expect(answers).toHaveBeenCalledOnce(), 60_000);
    expect(await answers.mock.results[0]?.value).toMatchObject({ kind: 'changed' });
    const body = { callHash: anew.callHash, reason: 'asked elsewhere' };
    await own.ask('POST', `/api/approvals/${asked.commandId}/refuse`, { body });
    expect(await waits).toContain('asked elsewhere');
    await client.close();
  });

  test('is not asked if a setting says so, or about dangerous calls (setting: mcp.ask_in_agent)', async () => {
    for (const [files, line] of [
      [{ 'signalbox.yaml': 'mcp: { ask_in_agent: false }\n' }, 'touch later.txt'],
      [{}, 'git push --force'],
    ] as const) {
      await using own = await openTestServer({ ...ASKING, files });
      hostGit(own.of.workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
      const forms: Form[] = [];
      const client = await connect(own, mode, (form) => {
        forms.push(form);
        return { action: 'accept', content: { answer: 'approve' } };
      });
      const waits = bash(client, line);
      const asked = await own.of.event('approval_requested');
      const body = { callHash: asked.callHash, reason: 'asked elsewhere' };
      await own.ask('POST', `/api/approvals/${asked.commandId}/refuse`, { body });
      expect(await waits).toContain('asked elsewhere');
      expect(forms).toEqual([]);
      await client.close();
    }
  });

  test('over HTTP can approve nothing: its token is its own', async () => {
    await using own = await openTestServer(ASKING);
    const provider = ProviderId.parse('codex');
    const made = { kind: 'made', name: provider, role: 'provider', provider, lifetimeMs: null } as const;
    const { token } = await own.of.tokens.create(made);
    const client = formClient(mode, () => ({ action: 'accept', content: { answer: 'approve' } }));
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', own.url), { requestInit }));
    const waits = bash(client, 'touch later.txt');
    const asked = await own.of.event('approval_requested');
    const body = { callHash: asked.callHash, reason: 'asked elsewhere' };
    await own.ask('POST', `/api/approvals/${asked.commandId}/refuse`, { body });
    expect(await waits).toContain('asked elsewhere');
    await client.close();
  });
});

test('a form closes when the approval is answered elsewhere', async () => {
  await using own = await openTestServer(ASKING);
  const open = Promise.withResolvers<void>();
  const client = await connect(own, 'legacy', () => {
    open.resolve();
    return new Promise(() => undefined);
  });
  const waits = bash(client, 'touch later.txt');
  const asked = await own.of.event('approval_requested');
  await open.promise;
  await own.ask('POST', `/api/approvals/${asked.commandId}/grant`, { body: { callHash: asked.callHash } });
  expect(await waits).toContain('changed: later.txt (created)');
  await client.close();
});
