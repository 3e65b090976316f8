import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOCAL_FILE } from '../settings/settings-files.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import type { TestCommandView } from './testing/command-view.ts';

const RULE = 'rules:\n  - id: no-tags\n    deny: { program: git, args: [ tag ] }\n';

type Draft = { kind: string; text: string; why: string };
type Rules = { rules: { id: string; layer: string; source: string }[] };

test('a typed rule is previewed as it would be written, and stored in your file in that form', async () => {
  await using own = await openTestServer();
  const check = async (text: string): Promise<Draft> =>
    (await own.ask<Draft>('POST', '/api/policy/rules/check', { body: { text } })).body;
  for (const typed of [RULE, '- { id: no-tags, deny: { program: git, args: [tag] } }']) {
    expect(await check(typed)).toMatchObject({ kind: 'fits', text: RULE });
  }
  expect(await check('id: [')).toMatchObject({ kind: 'unfit', why: expect.stringContaining('YAML') });
  expect(await check('id: nothing')).toMatchObject({
    kind: 'unfit',
    why: expect.stringContaining('exactly one'),
  });
  expect(await check(`${RULE}    examples: { match: [ls] }`)).toMatchObject({ kind: 'unfit' });

  const stored = await own.ask('POST', '/api/policy/rules', { body: { text: RULE, file: 'local' } });
  expect(stored).toMatchObject({ status: 200, body: { id: 'no-tags', counts: true } });
  const file = join(own.of.workspace, LOCAL_FILE);
  expect(readFileSync(file, 'utf8')).toContain(RULE);
  const gone = await own.ask('DELETE', '/api/policy/rules/local/no-tags');
  expect(gone).toMatchObject({ status: 200, body: { removed: 'no-tags' } });
  expect(readFileSync(file, 'utf8')).not.toContain('no-tags');
  expect(await own.ask('DELETE', '/api/policy/rules/local/no-tags')).toMatchObject({
    status: 404,
    body: { code: 'unknown-rule' },
  });
});

test('an approver reads rules and writes none', async () => {
  await using own = await openTestServer();
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'mira',
    role: 'approver',
    provider: null,
    lifetimeMs: null,
  });
  expect((await own.ask('GET', '/api/policy/rules', { token })).status).toBe(200);
  const body = { text: RULE, file: 'local' };
  expect((await own.ask('POST', '/api/policy/rules', { token, body })).status).toBe(403);
  expect((await own.ask('DELETE', '/api/policy/rules/local/no-tags', { token })).status).toBe(403);
});

test('a session rule is listed with its session, and removing it requires approval again', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  const send = async (sessionId?: string): Promise<TestCommandView> =>
    (
      await own.ask<TestCommandView>('POST', '/api/commands', {
        body: {
          tool: 'bash',
          args: { line: 'touch kept' },
          ...(sessionId === undefined ? {} : { sessionId }),
        },
      })
    ).body;
  const asked = await send();
  const path = `/api/approvals/${asked.id}`;
  const { body: proposed } = await own.ask<Draft>('GET', `${path}/rule`);
  const { body: checked } = await own.ask<Draft & { rule: object }>('POST', `${path}/rule`, {
    body: { text: proposed.text },
  });
  expect(checked).toMatchObject({ kind: 'fits', text: proposed.text });
  const other = await own.ask('POST', `${path}/rule`, {
    body: { text: proposed.text.replace('program: touch', 'program: cat') },
  });
  expect(other.body).toMatchObject({ kind: 'unfit' });
  await own.ask('POST', `${path}/remember`, {
    body: { callHash: asked.approval?.callHash, rule: checked.rule, scope: 'session' },
  });
  await own.of.ended(asked.id);
  const { rules } = (await own.ask<Rules>('GET', '/api/policy/rules')).body;
  expect(rules).toMatchObject([{ layer: 'session', source: expect.stringMatching(/^session /) }]);
  const again = await send(asked.context.sessionId);
  expect(again.approval).toBeNull();
  await own.of.ended(again.id);
  await own.ask('DELETE', `/api/policy/rules/session/${rules[0]?.id}`);
  const third = await send(asked.context.sessionId);
  expect(third.approval?.status).toBe('pending');
});

test.for(['local', 'workspace'])(
  'a rule in a file is stored after the approval, which counts in the approver’s name: %s',
  async (scope) => {
    await using own = await openTestServer();
    const sent = { tool: 'bash', args: { line: 'docker ps' } };
    const { body: asked } = await own.ask<TestCommandView>('POST', '/api/commands', { body: sent });
    const { body: proposed } = await own.ask<{ rule: object }>('GET', `/api/approvals/${asked.id}/rule`);
    const body = { callHash: asked.approval?.callHash, rule: proposed.rule, scope };
    const made = await own.ask('POST', `/api/approvals/${asked.id}/remember`, { body });
    const stored = { id: 'docker-ps', counts: scope === 'local' };
    expect(made).toMatchObject({ status: 200, body: { stored, notStored: null } });
    await own.of.ended(asked.id);
    expect(own.of.auditLines().at(-1)).toMatchObject({
      approved_by: 'ana',
      answers: [{ answer: 'granted' }],
    });
  },
);

test('“always” for an install allows exactly its hosts: the next one runs, an added registry needs approval', async () => {
  await using own = await openTestServer({
    files: {
      'package.json': '{ "name": "shop" }',
      '.npmrc': 'registry=http://localhost:4873/\nfetch-retries=0\n',
    },
  });
  const send = async (line: string): Promise<TestCommandView> =>
    (await own.ask<TestCommandView>('POST', '/api/commands', { body: { tool: 'bash', args: { line } } }))
      .body;
  const asked = await send('npm ci');
  const path = `/api/approvals/${asked.id}`;
  const { body: proposed } = await own.ask<Draft>('GET', `${path}/rule`);
  expect(proposed.text).toMatch(/agree:[^]*packages:[^]*localhost:4873/);
  const { body: checked } = await own.ask<Draft & { rule: object }>('POST', `${path}/rule`, {
    body: { text: proposed.text },
  });
  expect(checked).toMatchObject({ kind: 'fits' });
  const fewer = await own.ask('POST', `${path}/rule`, {
    body: { text: proposed.text.replace('localhost:4873', 'localhost.example') },
  });
  expect(fewer.body).toMatchObject({ kind: 'unfit' });
  const body = { callHash: asked.approval?.callHash, rule: checked.rule };
  expect((await own.ask('POST', `${path}/remember`, { body: { ...body, scope: 'session' } })).status).toBe(
    400,
  );
  const remembered = await own.ask('POST', `${path}/remember`, { body: { ...body, scope: 'local' } });
  expect(remembered.body).toMatchObject({ stored: { where: '.signalbox/local.yaml', counts: true } });
  await own.of.ended(asked.id);
  const again = await send('npm view left-pad');
  expect(again.approval).toBeNull();
  await own.of.ended(again.id);
  writeFileSync(join(own.of.workspace, '.npmrc'), 'registry=https://evil.example\n');
  expect((await send('npm ci')).approval?.status).toBe('pending');
});
