import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

/** Two lines need approval and are denied. */
async function refused(own: TestRuntime, line: string): Promise<void> {
  for (const _ of [1, 2]) {
    const { commandId, result } = own.submit('openai', 'bash', { args: { line } });
    const { callHash } = await own.event('approval_requested', (event) => event.commandId === commandId);
    const ana = { name: 'ana', channel: 'test' } as const;
    await own.runtime.coordinator.approvals.answer(
      commandId,
      { kind: 'deny' },
      { by: ana, expect: callHash },
    );
    await result;
  }
}

test('stats shows why approvals were needed and which hosts would have avoided them, and adds them after a yes at a terminal', async () => {
  await using own = await openTestRuntime({ files: { 'package.json': '{ "name": "shop" }' } });
  await refused(own, 'npm view zod');
  const { exit, out, talk } = await createTestTerminal(own.workspace).signalbox('stats');
  expect([exit, out, talk]).toEqual([
    0,
    expect.stringMatching(/contacts a package registry +2 +0 +2 +0 +0 +warning-asks/),
    expect.stringContaining(
      '2 of 2 approval requests were like "npm view zod": signalbox network allow packages',
    ),
  ]);
  const { remedy } = JSON.parse((await createTestTerminal(own.workspace).signalbox('stats', '--json')).out);
  expect(remedy).toEqual({
    kind: 'network',
    profile: 'packages',
    saves: 2,
    asked: 2,
    example: 'npm view zod',
  });

  const person = createTestTerminal(own.workspace, { onAsked: () => undefined, typed: () => '' });
  expect((await person.signalbox('stats')).talk).toContain('registry.npmjs.org');
  expect(readFileSync(join(own.workspace, '.signalbox/local.yaml'), 'utf8')).toContain('registry.npmjs.org');
  expect((await person.signalbox('stats')).talk).not.toContain('approval requests were like');
});

test('for an unknown program it proposes the rule for that line', async () => {
  await using own = await openTestRuntime({ files: { shopgen: '#!/usr/bin/env shoplang\n' } });
  await refused(own, './shopgen --check');
  const { talk } = await createTestTerminal(own.workspace).signalbox('stats');
  expect(talk).toContain("signalbox rules add -- './shopgen --check'");
  const person = createTestTerminal(own.workspace, { onAsked: () => undefined, typed: () => 'y' });
  await person.signalbox('stats');
  expect((await person.signalbox('check', '--', './shopgen --check')).exit).toBe(0);
});
