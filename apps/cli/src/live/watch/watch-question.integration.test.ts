import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { watchAt } from './testing/watch-terminal.ts';

const ASKING = { settings: { approval: { prompt_on_warning: true, expiry: '10m' } } } as const;

test.each([
  ['+ among the lanes', 'here'],
  ['another person', 'elsewhere'],
])('an approval that gets more time from %s shows the new deadline in the pane and in v', async (_, from) => {
  await using own = await openTestServer(ASKING);
  const asked = own.of.submit('openai', 'bash', { args: { line: 'touch asked' } });
  const { callHash } = await own.of.event(
    'approval_requested',
    ({ commandId: id }) => id === asked.commandId,
  );
  let extended: Promise<unknown> | undefined;
  let minutes: readonly number[] = [];
  await watchAt(own.of.workspace, (screen, press) => {
    minutes = [...screen.matchAll(/(\d+):\d\d left/g)].map(([, text]) => Number(text));
    if (minutes.length === 0) return;
    if (screen.includes('[V]iew')) {
      press('q');
      press('q');
    } else if (Math.min(...minutes) > 10) press('v');
    else if (from === 'here') press('+');
    else {
      const path = `/api/approvals/${asked.commandId}/extend`;
      extended ??= own.ask('POST', path, { body: { callHash, ms: 300_000 } });
    }
  });
  await extended;
  expect(minutes).toHaveLength(2);
  expect(Math.min(...minutes)).toBeGreaterThan(10);
});

test('p brings back a postponed approval while another one is open', async () => {
  await using own = await openTestServer(ASKING);
  await own.of.submit('openai', 'bash', { args: { line: 'touch first' } }).resting;
  await own.of.submit('anthropic', 'bash', { args: { line: 'touch second' } }).resting;
  const seen: string[] = [];
  await watchAt(own.of.workspace, (screen, press) => {
    const [, who = ''] = /── Approval .*\n ! \w{4} (\w+)/.exec(screen) ?? [];
    if (who !== '' && who !== seen.at(-1)) seen.push(who);
    if (who === 'anthropic' && screen.includes('p 1 later')) press('p');
    else if (who === 'openai') press(seen.length > 1 ? 'q' : 'N');
  });
  expect(seen).toEqual(['openai', 'anthropic', 'openai']);
});

test('an answer in the full view returns to the lanes with their keys, and one q quits', async () => {
  await using own = await openTestServer(ASKING);
  await own.of.submit('openai', 'bash', { args: { line: 'touch asked' } }).resting;
  let isAnswered = false;
  let footer: string | undefined;
  await watchAt(own.of.workspace, (screen, press) => {
    const isFull = screen.includes('[V]iew');
    if (isFull && !isAnswered) {
      isAnswered = true;
      press('a');
    } else if (!isAnswered && / left/.test(screen)) press('v');
    else if (isAnswered && !isFull && footer === undefined) {
      footer = screen.trimEnd().split('\n').at(-1);
      press('q');
    }
  });
  expect(footer).toContain('q quit');
});
