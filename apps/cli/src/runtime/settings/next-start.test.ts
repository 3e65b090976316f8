import { parseSettings, type Settings } from '@signalbox/core';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COUNTS_AT_ONCE, COUNTS_FOR_NEXT_SESSION, keysOfNextSession, keysOfNextStart } from './next-start.ts';

function settingsOf(value: unknown): Settings {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

test.for([
  [{ rules: [{ id: 'a', deny: { program: 'b' } }] }],
  [{ approval: { approval_mode: 'prompt', deny_dangerous: true } }],
  [{ tools: { bash: { timeout: '5s' }, max_tool_calls_per_session: 3, file: { deny_read: ['a'] } } }],
  [{ agents: { tool_execution: { auto_approve_tools: ['read_file'] } } }],
  [{ providers: { openai: { rate_limit_per_hour: 1 } }, sandbox: { allowed_paths: ['src'] } }],
  [
    {
      tools: { adversarial_policy: { enabled: true, policies: ['no'], policy_provider: 'ollama' } },
    },
  ],
] as const)('a setting that rulings use applies at once: %j', ([changed]) => {
  expect(keysOfNextStart(settingsOf({}), settingsOf(changed))).toEqual([]);
});

test.for([
  [{ approval: { expiry: '1m' } }, ['approval.expiry']],
  [{ sandbox: { env_vars: { A: 'b' } } }, ['sandbox.env_vars.A']],
  [{ providers: { openai: { sandbox: { deny_read: ['a'] } } } }, ['providers.openai.sandbox']],
  [{ tests: 'npm test' }, ['tests']],
  [{ tools: { bash: { sandbox: { deny_read: ['a'] }, timeout: '1s' } } }, ['tools.bash.sandbox']],
] as const)('a setting read when the coordinator opens applies at the next start: %j', ([changed, keys]) => {
  const [before, after] = [settingsOf({}), settingsOf(changed)];
  expect(keysOfNextStart(before, after)).toEqual(keys);
  expect(keysOfNextStart(after, after)).toEqual([]);
});

test.for([
  [
    { providers: { mine: { api: 'openai-chat', base_url: 'http://localhost:1', model: 'm' } } },
    ['providers.mine'],
  ],
  [{ providers: { openai: { trust: 'trusted' } } }, ['providers.openai.trust']],
  [{ budget: 2 }, ['budget']],
  [{ agents: { tool_execution: { max_iterations: 5 } } }, ['agents.tool_execution.max_iterations']],
] as const)('a setting read when a session begins needs no restart: %j', ([changed, keys]) => {
  const [before, after] = [settingsOf({}), settingsOf(changed)];
  expect(keysOfNextStart(before, after)).toEqual([]);
  expect(keysOfNextSession(before, after)).toEqual(keys);
});

test('an unconfirmed provider applies to no session', () => {
  const mine = { api: 'openai-chat', base_url: 'http://localhost:1', model: 'm' };
  const now = settingsOf({ providers: { mine } });
  const providers = Object.fromEntries(
    Object.entries(now.providers).map(([id, provider]) => [
      id,
      id === 'mine' ? { ...provider, unconfirmed_in: 'a.yaml' } : provider,
    ]),
  );
  expect(keysOfNextSession(settingsOf({}), { ...now, providers })).toEqual([]);
});

test('a provider with its own sandbox settings needs a restart only for those', () => {
  const mine = {
    api: 'openai-chat',
    base_url: 'http://localhost:1',
    model: 'm',
    sandbox: { deny_read: ['a'] },
  };
  const [before, after] = [settingsOf({}), settingsOf({ providers: { mine } })];
  expect(keysOfNextStart(before, after)).toEqual(['providers.mine.sandbox']);
  expect(keysOfNextSession(before, after)).toEqual(['providers.mine']);
});

test('docs/configuration.md lists what applies without a restart', () => {
  const page = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
  const section = /## Changes that apply without a restart\n([^]*?)\n## /.exec(page)?.[1] ?? '';
  const listed = [...section.matchAll(/^- `([^`]+)`/gm)].map(([, key]) => key);
  const keys = COUNTS_AT_ONCE.filter((key) => !key.endsWith('.configured')).map((key) =>
    key.replace('tools.policies', 'tools.<tool>').replace('*', '<id>'),
  );
  const ofSessions = COUNTS_FOR_NEXT_SESSION.map((key) => key.replace('*', '<id>'));
  expect(listed).toEqual([...keys, ...ofSessions]);
});
