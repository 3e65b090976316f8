import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('kept results are counted, shown with their command, and cleared (S001-83)', async () => {
  const files = { 'package.json': '{"scripts":{"test":"true"}}', 'a.ts': 'one\n' };
  await using own = await openTestServer({ files });
  const { of } = own;
  const { signalbox } = createTestTerminal(of.workspace);
  const line = { line: 'npm test' };
  const first = await of.call('openai', 'bash', line);
  const second = await of.call('anthropic', 'bash', line);
  expect(second.reusedFrom?.commandId).toBe(first.commandId);

  expect(await signalbox('cache')).toMatchObject({
    exit: 0,
    out: expect.stringContaining('1 result of tests and builds, 0 answers of reading tools · kept for 300 s'),
  });
  expect((await signalbox('status', second.commandId)).out).toContain(
    `not run again: result of openai, ${first.commandId}`,
  );
  expect((await signalbox('stats')).out).toContain('Saved: 1 call (');
  const { text: metrics } = await own.ask('GET', '/metrics');
  expect(metrics).toContain('signalbox_reused_results_total{provider="anthropic",tool="bash"} 1');

  expect(JSON.parse((await signalbox('cache', 'clear', '--json')).out)).toEqual({
    cleared: { enabled: true, ttlSecs: 300, runs: 1, reads: 0 },
  });
  expect((await of.call('codex', 'bash', line)).reusedFrom).toBeUndefined();
});
