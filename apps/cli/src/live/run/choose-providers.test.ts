import { parseSettings, type Settings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { chooseProviders } from './choose-providers.ts';

function settingsOf(value: object): Settings {
  const parsed = parseSettings(value);
  if (parsed.kind === 'ok') return parsed.settings;
  throw new Error(JSON.stringify(parsed.problems));
}

const both = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' };

test('each provider gets the task, or its own after =', () => {
  const settings = settingsOf({});
  expect(chooseProviders(['openai', 'anthropic=Review: a=b'], 'Repair', { settings, env: both })).toEqual([
    { provider: 'openai', task: 'Repair' },
    { provider: 'anthropic', task: 'Review: a=b' },
  ]);
});

test('without -p all providers with a key work: those in the settings, else all presets', () => {
  const names = (value: object): readonly string[] =>
    chooseProviders([], 'Repair', { settings: settingsOf(value), env: both }).map(({ provider }) => provider);
  expect(names({})).toEqual(['openai', 'anthropic']);
  expect(names({ providers: { anthropic: {}, ollama: {} } })).toEqual(['anthropic', 'ollama']);
});

test('missing keys and tasks are reported before anything starts', () => {
  const settings = settingsOf({});
  const choose = (given: readonly string[], task: string | undefined, env: Record<string, string>) => () =>
    chooseProviders(given, task, { settings, env });
  expect(choose(['antropic'], 'x', both)).toThrow(
    expect.objectContaining({
      code: 'unknown-provider',
      next: ['did you mean: -p anthropic', 'signalbox config get providers'],
    }),
  );
  expect(choose(['deepseek'], 'x', both)).toThrow(expect.objectContaining({ code: 'missing-api-key' }));
  expect(choose(['openai', 'anthropic=y', 'openai'], 'x', {})).toThrow(
    expect.objectContaining({
      code: 'missing-api-key',
      message: 'Cannot start providers "openai", "anthropic": they have no API keys',
      why: ['OPENAI_API_KEY, ANTHROPIC_API_KEY are not set; .env files are deliberately not read'],
      next: ['export OPENAI_API_KEY=…', 'export ANTHROPIC_API_KEY=…', 'signalbox demo   needs no key'],
    }),
  );
  expect(choose([], 'x', {})).toThrow(expect.objectContaining({ code: 'missing-api-key' }));
  expect(choose(['openai'], undefined, both)).toThrow(expect.objectContaining({ code: 'usage' }));
});
