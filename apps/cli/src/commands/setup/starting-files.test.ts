import { mergeLayers, type SettingsLayer } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { keysFound } from './init.ts';
import { gitignoreWith, localFile, sharedFile } from './starting-files.ts';

const found = { providers: [aProviderId('openai'), aProviderId('anthropic')], tests: 'npm test' };

function merged(shared: string) {
  const layers: readonly SettingsLayer[] = [
    { kind: 'workspace', source: 'signalbox.yaml', value: parse(shared) as unknown },
    { kind: 'local', source: '.signalbox/local.yaml', value: parse(localFile()) as unknown },
  ];
  const settings = mergeLayers(layers);
  if (settings.kind === 'invalid') throw new Error(JSON.stringify(settings.problems));
  return settings;
}

test('the files that init writes are valid, and every line of them has an effect', () => {
  const { settings, notes } = merged(sharedFile(found));
  expect(notes).toEqual([]);
  expect(settings.tests).toBe('npm test');
  expect(
    Object.entries(settings.providers)
      .filter(([, { configured }]) => configured)
      .map(([id]) => id),
  ).toEqual(['openai', 'anthropic']);
  expect(settings.approval.file_writes).toBe('when_reversible');
});

test('commented lines are valid once uncommented', () => {
  const text = sharedFile({ providers: [], tests: null }).replaceAll(
    /^# (?=(?:tests|budget|providers|  \w+):)/gm,
    '',
  );
  const { settings } = merged(text);
  expect([settings.tests, settings.budget, settings.providers['openai']?.configured]).toEqual([
    'npm test',
    2,
    true,
  ]);
});

test('a test line with quotes in it stays one line of YAML', () => {
  const { settings } = merged(sharedFile({ ...found, tests: 'npm test -- --grep "a: b" # not a comment' }));
  expect(settings.tests).toBe('npm test -- --grep "a: b" # not a comment');
});

test('our folder is added to .gitignore once', () => {
  expect(gitignoreWith(null)).toBe('.signalbox/\n');
  expect(gitignoreWith('dist')).toBe('dist\n.signalbox/\n');
  expect(gitignoreWith('dist/\n/.signalbox\n')).toBeNull();
});

test('keys are found by the names in the presets', () => {
  expect(keysFound({ ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: '' })).toEqual(['anthropic']);
});
