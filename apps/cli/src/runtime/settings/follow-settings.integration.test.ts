import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import type { Line } from '../../terminal/line.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { configHomeOf, writeOwnSettings } from '../../testing/own-settings.ts';
import { screenText } from '../../testing/screen-text.ts';
import { followSettings } from './follow-settings.ts';
import { settingsOnDisk } from './watch-settings.ts';

const NO_ECHO = 'rules:\n  - id: no-echo\n    deny: { program: echo }\n';

/** A coordinator that follows its files, and a queue of its reports. */
function follow(own: Awaited<ReturnType<typeof openTestRuntime>>) {
  const reported: string[] = [];
  let next = Promise.withResolvers<string>();
  const env = { XDG_CONFIG_HOME: configHomeOf(own.workspace) };
  const onDisk = settingsOnDisk({ directory: own.workspace, env });
  const from = { ...onDisk, before: own.runtime.settings, clock: createSystemClock() };
  const stop = followSettings(own.runtime, from, (lines: readonly Line[]) => {
    const text = screenText(lines, Infinity);
    reported.push(text);
    next.resolve(text);
    next = Promise.withResolvers<string>();
  });
  return { reported, stop, next: () => next.promise };
}

test('a changed file replaces the policy of a running coordinator; an invalid one changes nothing and is shown with its position (C10, S001-17, S001-129)', async () => {
  await using own = await openTestRuntime();
  const { next, stop } = follow(own);
  const ruling = async () => (await own.call('openai', 'bash', { line: 'echo hi' })).outcome.kind;
  expect(await ruling()).toBe('completed');

  const changed = next();
  writeFileSync(join(own.workspace, 'signalbox.yaml'), NO_ECHO);
  expect(await changed).toContain('policy changed');
  expect(await ruling()).toBe('denied');

  const refused = next();
  writeFileSync(join(own.workspace, 'signalbox.yaml'), 'rules:\n  - id: x\n    denny: { program: echo }\n');
  expect(await refused).toMatch(/settings not used: .*unknown key "denny" \(signalbox\.yaml:3:5\)/);
  const files = async () => (await own.runtime.coordinator.actors()).settings.files;
  expect(await files()).toMatchObject({ state: 'refused', why: expect.stringContaining('"denny"') });
  expect(await ruling()).toBe('denied');

  const again = next();
  writeFileSync(join(own.workspace, 'next.yaml'), '');
  renameSync(join(own.workspace, 'next.yaml'), join(own.workspace, 'signalbox.yaml'));
  expect(await again).toContain('policy changed');
  expect(await ruling()).toBe('completed');
  expect(await files()).toMatchObject({ state: 'changed' });
  own.runtime.refuseSettings('broken');
  own.runtime.applyPolicy(own.runtime.settings);
  expect(await files()).toMatchObject({ state: 'changed' });
  stop();
});

test('a pending approval is re-evaluated when a file changes the policy', async () => {
  await using own = await openTestRuntime();
  const { next, stop } = follow(own);
  const asked = own.submit('openai', 'bash', { args: { line: 'rm -rf a' } });
  await asked.resting;
  const { callHash } = await own.event('approval_requested');
  const changed = next();
  writeFileSync(join(own.workspace, 'signalbox.yaml'), NO_ECHO);
  await changed;
  const again = await own.event('approval_requested', (event) => event.callHash !== callHash);
  const ana = { name: 'ana', channel: 'test' } as const;
  const { approvals } = own.runtime.coordinator;
  expect(
    (await approvals.answer(asked.commandId, { kind: 'approve' }, { by: ana, expect: callHash })).kind,
  ).toBe('changed');
  expect(
    (await approvals.answer(asked.commandId, { kind: 'approve' }, { by: ana, expect: again.callHash })).kind,
  ).toBe('granted');
  expect((await asked.result).outcome.kind).toBe('completed');
  stop();
});

test('a change that needs a restart is reported, and changes nothing now', async () => {
  await using own = await openTestRuntime();
  const { next, stop } = follow(own);
  const changed = next();
  writeFileSync(
    join(own.workspace, 'signalbox.yaml'),
    'execution: { max_wait: 1m, max_queue_size: 2 }\nproviders: { openai: { rate_limit_per_hour: 5 } }\n',
  );
  expect(await changed).toBe(
    'takes effect when the coordinator restarts: execution.max_queue_size, execution.max_wait · signalbox stop ends it when its work is done',
  );
  stop();
});

test('your own file edited by hand is reported, and applies in full once you confirm it (R-A1)', async () => {
  await using own = await openTestRuntime();
  await writeOwnSettings(own.workspace, { text: '# mine\n' });
  const { next, stop } = follow(own);
  const rule = 'rules:\n  - id: mine\n    allow: { program: tool-of-mine }\n';
  const edited = next();
  writeFileSync(join(own.workspace, '.signalbox/local.yaml'), rule);
  expect(await edited).toContain('signalbox config trust');
  const trusted = next();
  await writeOwnSettings(own.workspace, { text: rule });
  expect(await trusted).toContain('policy changed');
  stop();
});
