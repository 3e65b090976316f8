import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('check and exec say the same about a line that can not succeed, and no approval is requested', async () => {
  const workspace = ownWorkspace({ 'src/a.ts': '', 'build.sh': 'true\n', list: 'src/a.ts\n' });
  const { signalbox } = createTestTerminal(workspace);
  for (const [line, why] of [
    ['frobnicate .', 'Cannot run this line: program "frobnicate" is not installed in the sandbox'],
    [
      'cd src && frobnicate . | head',
      'Cannot run part 2 of this line: program "frobnicate" is not installed',
    ],
    ['./bild.sh', 'Cannot run this line: there is no file "./bild.sh"; did you mean "./build.sh"?'],
    ['xargs rm < lsit', 'Cannot run this line: there is no file "lsit"; did you mean "list"?'],
    ['git fetch', 'Cannot fetch: no remote is configured'],
  ] as const) {
    const checked = await signalbox('check', '--', line);
    expect(checked).toMatchObject({ exit: 1, out: expect.stringMatching(/^fails · /) as unknown });
    expect(checked.out.replaceAll(/\s+/g, ' ')).toContain(why);
    const { out } = await signalbox('check', '--json', '--', line);
    expect(JSON.parse(out)).toMatchObject({
      ruling: { kind: 'ask' },
      failure: { message: expect.stringContaining(why) as unknown },
    });
    const explained = await signalbox('policy', 'explain', '--', line);
    expect(explained.out).toMatch(/^fails · /);
    expect(explained.out.replaceAll(/\s+/g, ' ')).toContain(why);
    const { talk } = await signalbox('exec', '--', line);
    expect(talk).toContain(why);
    expect(`${checked.out}${talk}`).not.toMatch(/your (?:user|person)|list_directory/);
  }
  const other = await signalbox('check', '--json', '--', 'rm -rf src');
  expect(other.exit).toBe(4);
  expect(JSON.parse(other.out)).toMatchObject({ failure: null });
});

test('check and exec judge the user alike: as trusted, whatever applies to providers', async () => {
  const rules = 'rules:\n  - { id: strangers, deny: { program: cat }, trust: [provisional] }\n';
  const workspace = ownWorkspace({ 'a.txt': 'x\n', 'signalbox.yaml': rules });
  const { signalbox } = createTestTerminal(workspace);
  const own = await signalbox('check', '--', 'cat a.txt');
  expect(own).toMatchObject({ exit: 0, out: expect.stringContaining('trust trusted') as unknown });
  expect(own.out).toContain('signalbox exec runs it without approval');
  expect(await signalbox('exec', '--', 'cat a.txt')).toMatchObject({ exit: 0 });
  expect((await signalbox('policy', 'explain', '--', 'cat a.txt')).out).toContain('trust trusted');
  const other = await signalbox('check', '--provider', 'openai', '--', 'cat a.txt');
  expect(other).toMatchObject({
    exit: 3,
    out: expect.stringContaining('For a provider it is denied') as unknown,
  });
});

test('a script run by its path is judged, bound and run as by its interpreter', async () => {
  const workspace = ownWorkspace({
    'build.mjs': '#!/usr/bin/env node\nconsole.log("built");\n',
    'odd.mjs': 'console.log("odd");\n',
  });
  for (const name of ['build.mjs', 'odd.mjs']) chmodSync(join(workspace, name), 0o755);
  const { signalbox } = createTestTerminal(workspace);
  const judge = async (line: string) => {
    const { out } = await signalbox('check', '--json', '--', line);
    const { ruling, claims } = JSON.parse(out) as { ruling: { kind: string; rule: string }; claims: unknown };
    return { kind: ruling.kind, rule: ruling.rule, claims };
  };
  const byName = await judge('node build.mjs');
  expect(byName).toMatchObject({ kind: 'allow' });
  expect(JSON.stringify(byName.claims)).toContain('path:build.mjs');
  expect(await judge('./build.mjs')).toEqual(byName);
  expect(await judge('./odd.mjs')).toMatchObject({ kind: 'ask' });
  expect(await signalbox('exec', '--', './build.mjs')).toMatchObject({ exit: 0, out: 'built\n' });
  // A link there may lead out of the workspace.
  const elsewhere = ownWorkspace({ 'x.sh': '#!/bin/sh\n' });
  symlinkSync(elsewhere, join(workspace, 'linked'));
  symlinkSync(join(elsewhere, 'x.sh'), join(workspace, 'link.sh'));
  for (const line of ['./linked/x.sh', './link.sh']) expect(await judge(line)).toMatchObject({ kind: 'ask' });
});
