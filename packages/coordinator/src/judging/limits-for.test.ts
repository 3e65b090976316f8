import { parseSettings, type ProviderId, type Settings } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
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

const MIB = 1024 ** 2;
/** Where each setting arrives, and its value when no file names it. */
const ARRIVES = [
  ['max_memory_mb', 'memoryBytes', { unit: MIB, byDefault: undefined }],
  ['max_cpu_percent', 'cpuPercent', { unit: 1, byDefault: 80 }],
  ['max_processes', 'processes', { unit: 1, byDefault: 256 }],
  ['max_file_mb', 'fileBytes', { unit: MIB, byDefault: 1024 * MIB }],
  ['max_open_files', 'openFiles', { unit: 1, byDefault: 1024 }],
  ['max_written_mb', 'writtenBytes', { unit: MIB, byDefault: undefined }],
  ['max_written_files', 'writtenFiles', { unit: 1, byDefault: 500_000 }],
  ['timeout_ms', 'timeoutMs', { unit: 1, byDefault: 300_000 }],
] as const;

describe.each(ARRIVES)(
  'of the common, the provider’s and the tool’s %s',
  (key, field, { unit, byDefault }) => {
    const limited = (...[common, provider, tool]: readonly (number | null)[]) => {
      const profile = (value: number | null = null) =>
        value === null ? {} : { resource_limits: { [key]: value } };
      const settings = settingsOf({
        sandbox: profile(common),
        providers: { openai: { sandbox: profile(provider) } },
        tools: { bash: { sandbox: profile(tool) } },
      });
      const timeoutMs = { call: undefined, tool: 600_000 };
      const { limits, limitSettings } = limitsFor(settings, { ...SUBJECT, timeoutMs });
      return [limits[field], limitSettings[key]];
    };
    const [common, provider, tool] = ['sandbox', 'providers.openai.sandbox', 'tools.bash.sandbox'].map(
      (at) => `${at}.resource_limits.${key}`,
    );

    test('the lowest applies and is named (S003-59, S003-80)', () => {
      expect(limited(null, null, null)).toEqual([byDefault, common]);
      expect(limited(60, 70, 70)).toEqual([60 * unit, common]);
      expect(limited(70, 60, 70)).toEqual([60 * unit, provider]);
      expect(limited(70, 70, 60)).toEqual([60 * unit, tool]);
      expect(limited(70, 60, 50)).toEqual([50 * unit, tool]);
    });

    test('the common one is named when another is equal: changing the other would have no effect', () => {
      expect(limited(60, 60, 60)).toEqual([60 * unit, common]);
      expect(limited(70, 60, 60)).toEqual([60 * unit, provider]);
    });
  },
);

test('the sandbox’s time is named when the call asks for exactly that', () => {
  const timeoutMs = { call: 300_000, tool: 60_000 };
  const { limits, limitSettings } = limitsFor(settingsOf({}), { ...SUBJECT, timeoutMs });
  expect([limits.timeoutMs, limitSettings.timeout_ms]).toEqual([
    300_000,
    'sandbox.resource_limits.timeout_ms',
  ]);
});

test('only an untrusted provider has less memory than others', () => {
  for (const trust of ['provisional', 'trusted'] as const)
    expect(memory({}, { trust })).toEqual(['the machine', COMMON]);
  const ofAnother = { providers: { anthropic: { sandbox: { resource_limits: { max_memory_mb: 64 } } } } };
  expect(memory(ofAnother)).toEqual(['the machine', COMMON]);
});

test('a tool that goes by the settings of another is limited by them, and they are named', () => {
  const settings = settingsOf({
    tools: { write_file: { timeout: '5s', sandbox: { resource_limits: { max_file_mb: 3 } } } },
  });
  const { limits, limitSettings } = limitsFor(settings, {
    ...SUBJECT,
    tool: { name: 'edit_file', aliases: [] },
    timeoutMs: { call: undefined, tool: 5000 },
  });
  expect([limits.fileBytes, limitSettings.max_file_mb, limitSettings.timeout_ms]).toEqual([
    3 * MIB,
    'tools.write_file.sandbox.resource_limits.max_file_mb',
    'tools.write_file.timeout',
  ]);
});
