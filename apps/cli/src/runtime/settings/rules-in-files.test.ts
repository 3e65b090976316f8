import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from './load-settings.ts';
import type { SettingsFileError } from './settings-file-error.ts';
import { readTrustedRules } from './trusted-rules.ts';

function backend(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-rules-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'work/.signalbox'), { recursive: true });
  mkdirSync(join(root, 'config/signalbox'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  return { directory: join(root, 'work'), env: { XDG_CONFIG_HOME: join(root, 'config') }, root };
}

const ALLOW = `rules:
  - id: install
    allow: { program: npm, args: [install] }
`;

test('a rule knows its file and line', async () => {
  const at = backend({ 'work/signalbox.yaml': `tests: npm test\n${ALLOW}` });
  const { settings, notes } = await loadSettings(at);
  expect(settings.rules).toMatchObject([{ id: 'install', source: 'signalbox.yaml:3', isTrusted: false }]);
  expect(notes).toMatchObject([{ path: ['rules', 0] }]);
});

test('a failing example rejects the file and is shown with line and column', async () => {
  const at = backend({
    'work/signalbox.yaml': `rules:
  - id: no-publish
    deny: { program: npm, args: [publish] }
    examples:
      match: [npm publish, npm run publish]
`,
  });
  const error = (await loadSettings(at).catch((reason: unknown) => reason)) as SettingsFileError;
  expect(error).toMatchObject({
    code: 'invalid-config',
    message:
      'Cannot read signalbox.yaml: rules[0].examples.match[1] says that the rule matches "npm run publish", but it does not',
    picture: { file: 'signalbox.yaml', line: 5, column: 28 },
  });
});

test('a trusted rule applies until one word of it changes', async () => {
  const at = backend({ 'work/signalbox.yaml': ALLOW });
  const trusted = await readTrustedRules(join(at.root, 'config/signalbox'), at.directory);
  await trusted.replace((await loadSettings(at)).settings.rules);
  expect((await loadSettings(at)).settings.rules).toMatchObject([{ isTrusted: true }]);
  writeFileSync(join(at.directory, 'signalbox.yaml'), `# moved\n${ALLOW}`);
  expect((await loadSettings(at)).settings.rules).toMatchObject([{ isTrusted: true }]);
  writeFileSync(join(at.directory, 'signalbox.yaml'), ALLOW.replace('[install]', "['**']"));
  expect((await loadSettings(at)).settings.rules).toMatchObject([{ isTrusted: false }]);
});

test('trust is per workspace, and a broken file trusts nothing', async () => {
  const at = backend({ 'work/signalbox.yaml': ALLOW });
  const folder = join(at.root, 'config/signalbox');
  const { rules } = (await loadSettings(at)).settings;
  mkdirSync(join(at.root, 'other'));
  await (await readTrustedRules(folder, join(at.root, 'other'))).replace(rules);
  expect((await loadSettings(at)).settings.rules).toMatchObject([{ isTrusted: false }]);
  writeFileSync(join(folder, 'trusted-rules.json'), '{');
  expect((await loadSettings(at)).settings.rules).toMatchObject([{ isTrusted: false }]);
});
