import { parseSettings, type ProviderId, type Settings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { limitsFor } from './limits-for.ts';

type Subject = Parameters<typeof limitsFor>[1];

const SUBJECT: Subject = {
  tool: { name: 'bash', aliases: [] },
  provider: 'openai' as ProviderId,
  trust: 'provisional',
  timeoutMs: { call: undefined, tool: 60_000 },
};

function settingsOf(written: Record<string, unknown>): Settings {
  const parsed = parseSettings(written);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

function memory(written: Record<string, unknown>, subject: Partial<Subject> = {}) {
  const { limits, limitSettings } = limitsFor(settingsOf(written), { ...SUBJECT, ...subject });
  const { memoryBytes } = limits;
  return [memoryBytes === undefined ? 'the machine' : memoryBytes / 1024 ** 2, limitSettings.max_memory_mb];
}

const COMMON = 'sandbox.resource_limits.max_memory_mb';
const OF_PROVIDER = 'providers.openai.sandbox.resource_limits.max_memory_mb';

test('memory defaults to the executor’s share of its machine, unless a setting limits it (U-B2)', () => {
  expect(memory({})).toEqual(['the machine', COMMON]);
  expect(memory({ sandbox: { resource_limits: { max_memory_mb: 700 } } })).toEqual([700, COMMON]);
});

test('an untrusted provider gets 512 MiB, and its own profile can raise that (S003-59)', () => {
  expect(memory({}, { trust: 'untrusted' })).toEqual([512, OF_PROVIDER]);
  const raised = { providers: { openai: { sandbox: { resource_limits: { max_memory_mb: 2048 } } } } };
  expect(memory(raised, { trust: 'untrusted' })).toEqual([2048, OF_PROVIDER]);
});

test.each<[string, Record<string, unknown>, Subject['timeoutMs'], number, string | null]>([
  ['its tool', {}, { call: undefined, tool: 60_000 }, 60_000, 'tools.bash.timeout'],
  ['the call', {}, { call: 5000, tool: 60_000 }, 5000, null],
  [
    'the sandbox',
    { sandbox: { resource_limits: { timeout_ms: '10s' } } },
    { call: 20_000, tool: 60_000 },
    10_000,
    'sandbox.resource_limits.timeout_ms',
  ],
])('the time of a command is that of %s, and its setting is named', (_, written, timeoutMs, ms, setting) => {
  const { limits, limitSettings } = limitsFor(settingsOf(written), { ...SUBJECT, timeoutMs });
  expect([limits.timeoutMs, limitSettings.timeout_ms]).toEqual([ms, setting]);
});
