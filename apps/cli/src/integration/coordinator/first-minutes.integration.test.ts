import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal, type TestRun } from '../../testing/test-context.ts';

// What a user types in their first five minutes, on a terminal of 80 cells without colour, and what they see.

const NODE = { 'package.json': '{"scripts":{"test":"node --test"}}' };
const QUESTIONS = [
  'File changes by tools and shell lines inside the workspace:',
  '  u  run without approval if signalbox undo can revert them',
  '  a  always need approval',
  '  n  never need approval; dangerous lines and program settings still do',
  expect.stringMatching(/^Lines that reach only these hosts/),
  '  packages · to install and look up packages; publishing always needs approval',
  '    registry.npmjs.org                  usual for npm',
  expect.stringMatching(/^Install scripts can reach these hosts too/),
];
const AT_A_TERMINAL = { onAsked: () => undefined };

/** Values that vary between runs and machines get names. */
function seen({ out, talk }: TestRun, workspace: string): readonly string[] {
  const text = `${talk}${out}`
    .replaceAll(workspace.split('/').at(-1) ?? '', 'SHOP')
    .replaceAll(/("command": )"\/.*/g, '$1"NODE",')
    .replaceAll(/"\/\S+\/run\.mjs"/g, '"PROGRAM"')
    .replaceAll(/(isolation +)\S+(?= \(signalbox doctor| ·)/g, '$1LAYER')
    .replaceAll(/\b\d+:\d\d(?::\d\d)?(?:\.\d+)?\b|\b[\d.]+ m?s\b/g, 'TIME')
    .replaceAll(/\([a-z][\da-z]{3,}\)/g, '(ID)');
  // A registry may have a private address here, which is named with it.
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !/^ {4}[\d.]+ +address here of /.test(line));
}

test('0:45 the name alone shows three next steps', async () => {
  const workspace = ownWorkspace();
  const ran = await createTestTerminal(workspace, AT_A_TERMINAL).signalbox();
  expect(seen(ran, workspace)).toEqual([
    'signalbox demo     Watch a 30-second demo, no API keys needed',
    'signalbox init     Set up this workspace',
    'signalbox help     All subcommands',
  ]);
});

test('1:00 init without a key names three ways to begin', async () => {
  const workspace = ownWorkspace(NODE);
  const ran = await createTestTerminal(workspace, AT_A_TERMINAL).signalbox('init');
  expect(seen(ran, workspace)).toEqual([
    ...QUESTIONS,
    '✓ signalbox.yaml        no API keys found · tests: npm test',
    '✓ .signalbox/local.yaml yours: file changes always need approval',
    '✓ .gitignore            + .signalbox/',
    '✓ isolation             LAYER (signalbox doctor: details)',
    expect.stringMatching(/^\? network {15}installs and fetches need approval · signalbox network/),
    'Next: export OPENAI_API_KEY=…                        or ANTHROPIC_API_KEY, …',
    expect.stringMatching(/^ {6}signalbox run "Make the tests pass" -p ollama {2}\S/),
    '      signalbox connect claude-code                  an agent of your account',
  ]);
});

test('1:00 init with a key and tests names the run', async () => {
  const workspace = ownWorkspace(NODE);
  const terminal = createTestTerminal(workspace, { ...AT_A_TERMINAL, env: { OPENAI_API_KEY: 'x' } });
  expect(seen(await terminal.signalbox('init'), workspace)).toEqual([
    ...QUESTIONS,
    '✓ signalbox.yaml        openai (keys found) · tests: npm test',
    '✓ .signalbox/local.yaml yours: file changes always need approval',
    '✓ .gitignore            + .signalbox/',
    '✓ isolation             LAYER (signalbox doctor: details)',
    expect.stringMatching(/^\? network {15}installs and fetches need approval · signalbox network/),
    'Next: signalbox run "Make the tests pass"',
  ]);
});

test('1:30 a run first says where, how confined and until what, without git too; 4:20 diff says who wrote what', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt'), write('b.txt')]));
  rmSync(join(workspace, '.git'), { recursive: true });
  const terminal = createTestTerminal(workspace);
  const ran = seen(await terminal.signalbox('run', 'Finish', '-p', 'openai'), workspace);
  expect(ran[0]).toBe(
    'SHOP · NORMAL · embedded · isolation LAYER · file writes run if undo can revert them · until: grep -q done a.txt && grep -q done b.txt, at most 3 checks',
  );
  expect(ran[1]).toBe('not a git workspace: undo still works');
  expect(ran).toContain('dashboard: signalbox dashboard prints a link that opens it');
  expect(ran).toContain('✓ grep -q done a.txt && grep -q done b.txt passed after TIME');
  const diff = await createTestTerminal(workspace, AT_A_TERMINAL).signalbox('diff', '--stat');
  expect(seen(diff, workspace)).toEqual([
    ' a.txt  +1 -0   openai +1 -0 (ID)',
    ' b.txt  +1 -0   openai +1 -0 (ID)',
  ]);
});

test('1:30 a run without a key says how to continue', async () => {
  const workspace = ownWorkspace();
  const ran = await createTestTerminal(workspace, AT_A_TERMINAL).signalbox('run', 'Make the tests pass');
  expect(seen(ran, workspace)).toEqual([
    'error[missing-api-key]: Cannot start: no provider has an API key',
    expect.stringMatching(/^ {2}why {3}none of .* is set/),
    '  next  export OPENAI_API_KEY=…',
    '        signalbox run "…" -p ollama   with a model on this machine',
    '        signalbox demo   needs no key',
  ]);
});

test('5:00 connect shows its change before anything is written', async () => {
  const workspace = ownWorkspace();
  const ran = await createTestTerminal(workspace, AT_A_TERMINAL).signalbox('connect', 'gemini');
  expect(seen(ran, workspace)).toEqual([
    'Nothing was written. --write adds Signalbox to .gemini/settings.json',
    expect.stringMatching(/^note Start it in this folder: in a subfolder/),
    expect.stringMatching(/^note If committed, these settings turn off every colleague’s own tools/),
    expect.stringMatching(/^no signalbox\.yaml in /),
    '.gemini/settings.json · starts Signalbox, its own tools off',
    ...[
      '{',
      '  "mcpServers": {',
      '    "signalbox": {',
      '      "command": "NODE",',
      '      "args": [',
      '        "PROGRAM",',
      '        "signalbox",',
      '        "-C",',
      '        "/tmp/SHOP",',
      '        "mcp",',
      '        "--provider",',
      '        "gemini"',
      '      ],',
      '      "trust": true,',
      '      "timeout": 3600000',
      '    }',
      '  },',
      '  "tools": {',
      '    "core": [',
      '      "mcp_signalbox_*"',
      '    ]',
      '  }',
      '}',
    ].map((row) => `  +${row}`),
  ]);
});
