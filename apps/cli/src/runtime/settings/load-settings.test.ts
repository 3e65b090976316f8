import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { errorReport } from '../contract/error-report.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { screenText } from '../../testing/screen-text.ts';
import { errorView } from '../../views/error-view.ts';
import { loadSettings } from './load-settings.ts';
import { LOCAL_FILE } from './settings-files.ts';
import { originOf } from './origin-of.ts';

/** `home/…` is next to the workspace; a `.signalbox/local.yaml` is confirmed. */
async function workspaceWith(files: Readonly<Record<string, string>>): Promise<{
  directory: string;
  env: Record<string, string>;
}> {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-settings-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  const directory = join(root, 'workspace');
  const configHome = join(root, 'home');
  mkdirSync(directory);
  for (const [name, text] of Object.entries(files)) {
    const file = join(name.startsWith('home/') ? root : directory, name);
    mkdirSync(dirname(file), { recursive: true });
    if (name === LOCAL_FILE) await writeOwnSettings(directory, { text, configHome });
    else writeFileSync(file, text);
  }
  return { directory, env: { XDG_CONFIG_HOME: configHome } };
}

async function refusal(files: Readonly<Record<string, string>>): Promise<string> {
  const error: unknown = await loadSettings(await workspaceWith(files)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return screenText(errorView(errorReport(error), 0), Infinity);
}

test('without any file the defaults apply', async () => {
  const { settings, sources } = await loadSettings(await workspaceWith({}));
  expect([settings.mode, sources]).toEqual(['NORMAL', []]);
});

test('the environment overrides your file, yours overrides the shared one, and each value knows its line (X-42)', async () => {
  const backend = await workspaceWith({
    'home/signalbox/config.yaml': 'budget: 1\nlint: a\ntests: a\n',
    'signalbox.yaml': '# shared\nlint: b\ntests: b\n',
    '.signalbox/local.yaml': 'tests: c\n',
  });
  const { settings, sources } = await loadSettings({
    ...backend,
    env: { ...backend.env, SIGNALBOX_BUDGET: '2.5', SIGNALBOX_APPROVAL__EXPIRY: '15m', SIGNALBOX_ASCII: '1' },
  });
  expect([settings.budget, settings.lint, settings.tests, settings.approval.expiry]).toEqual([
    2.5,
    'b',
    'c',
    900_000,
  ]);
  const origin = (...path: string[]) => {
    const source = originOf(sources, path);
    return [source?.name, source?.lineOf(path)];
  };
  expect(origin('lint')).toEqual(['signalbox.yaml', 2]);
  expect(origin('approval', 'expiry')).toEqual(['SIGNALBOX_APPROVAL__EXPIRY', null]);
  expect(origin('mode')).toEqual([undefined, undefined]);
});

test('a shared file may not loosen limits, and gets a note', async () => {
  const { settings, notes } = await loadSettings(
    await workspaceWith({ 'signalbox.yaml': 'approval:\n  approval_mode: allow_all\n' }),
  );
  expect(settings.approval.approval_mode).toBe('auto');
  expect(notes.map(({ message }) => message).join()).toContain('a shared file can only tighten');
});

test('a misspelt key is shown in place, with the closest key', async () => {
  expect(
    await refusal({
      'signalbox.yaml': '# a comment\nmode: NORMAL\n\napproval:\n  prompt_on_warnings: true\n',
    }),
  ).toMatchInlineSnapshot(`
    "error[invalid-config]: Cannot read signalbox.yaml: unknown key "prompt_on_warnings"
      ┌ signalbox.yaml:5:3
    4 │ approval:
    5 │   prompt_on_warnings: true
      │   ^^^^^^^^^^^^^^^^^^
      why   unknown keys are errors, so that a misspelled rule is never silently missing
      next  did you mean prompt_on_warning?
            signalbox config schema      lists every key"
  `);
});

test('a wrong value is underlined in place', async () => {
  expect(await refusal({ '.signalbox/local.yaml': 'execution:\n  max_queue_size: lots\n' }))
    .toMatchInlineSnapshot(`
    "error[invalid-config]: Cannot read .signalbox/local.yaml: execution.max_queue_size must be a number, not "lots"
      ┌ .signalbox/local.yaml:2:19
    1 │ execution:
    2 │   max_queue_size: lots
      │                   ^^^^
      next  signalbox config schema      lists every key"
  `);
});

test('invalid YAML is shown too', async () => {
  expect(await refusal({ 'signalbox.yaml': 'approval:\n  expiry: [5m\nmode: NORMAL\n' }))
    .toMatchInlineSnapshot(`
    "error[invalid-config]: Cannot read signalbox.yaml: it is not YAML
      ┌ signalbox.yaml:3:1
    2 │   expiry: [5m
    3 │ mode: NORMAL
      │ ^
      why   Flow sequence in block collection must be sufficiently indented and end with a ]"
  `);
});
