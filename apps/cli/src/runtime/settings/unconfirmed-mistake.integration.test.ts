import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('settings that are whole only with an unconfirmed file say so, and how to confirm it', async () => {
  const policy = { enabled: true, policy_provider: 'judge', policies: ['Never publish a package'] };
  const judge = { api: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', model: 'x', api_key_env: null };
  const text = JSON.stringify({ tools: { adversarial_policy: policy }, providers: { judge } });
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  await signalbox('init');
  const local = join(workspace, '.signalbox/local.yaml');
  writeFileSync(local, text);
  const refused = await signalbox('check', '--', 'ls');
  expect([refused.exit, refused.talk]).toEqual([
    2,
    expect.stringMatching(/local\.yaml is not confirmed[^]*next +signalbox config trust/),
  ]);
  writeFileSync(local, text.replace('"policies"', '"polices"'));
  const wrong = await signalbox('check', '--', 'ls');
  expect([wrong.exit, wrong.talk]).toEqual([2, expect.not.stringContaining('next  signalbox config trust')]);
  writeFileSync(local, text);
  expect((await signalbox('config', 'trust', '--yes')).exit).toBe(0);
  expect((await signalbox('check', '--', 'ls')).exit).toBe(0);
});
