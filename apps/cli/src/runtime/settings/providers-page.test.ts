import { readFileSync } from 'node:fs';
import { defaultSettings, parseSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const page = readFileSync(new URL('../../../../../docs/providers.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);

test('the page has an example for each server that it names', () => {
  const named = examples.flatMap((text) => Object.keys((parse(text) as { providers: object }).providers));
  for (const id of ['openai', 'anthropic', 'deepseek', 'ollama', 'llamacpp', 'vllm', 'azure']) {
    expect(named).toContain(id);
  }
});

test.for(examples)('an example of docs/providers.md is a settings file without notes: %#', (text) => {
  const parsed = parseSettings(parse(text));
  expect(parsed).toMatchObject({ kind: 'ok', notes: [] });
});

test('the presets on the page are those of the coordinator', () => {
  const { providers } = defaultSettings();
  const presets = Object.entries(providers).map(([id, { api, base_url, model, api_key_env }]) =>
    [id, api, base_url, model, api_key_env ?? 'none'].join(' '),
  );
  expect(tableUnder('## Presets').map((cells) => cells.join(' '))).toEqual(presets);
});

test('the page names every key of a provider', () => {
  const { configured: _, unconfirmed_in: __, ...keys } = defaultSettings().providers['openai'] ?? {};
  const named = tableUnder('## Settings').map(([key = '']) => key);
  expect(new Set(named)).toEqual(new Set(Object.keys(keys)));
  expect(named).toHaveLength(Object.keys(keys).length);
});

/** The cells of the first table below a heading, without backticks. */
function tableUnder(heading: string): string[][] {
  const section = page.slice(page.indexOf(heading)).split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));
}
