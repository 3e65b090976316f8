import type { NetworkUse } from '@signalbox/core';
import { expect, test } from 'vitest';
import { anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

const use = (
  target: string,
  outcome: NetworkUse['outcome'],
  { why }: Readonly<{ why: string | null }>,
): NetworkUse => ({
  target,
  outcome,
  why,
  connections: 1,
  sentBytes: 1,
  receivedBytes: 2,
});
const REACHED = use('github.com:443', 'reached', { why: null });
const REFUSED = use('evil.example:443', 'refused', { why: '"evil.example:443" is not among the hosts' });

async function runCurl() {
  const harness = createHarness(FREE);
  harness.setProgram(async (_, { onConnection }) => {
    for (const row of [REACHED, REFUSED]) onConnection?.(row);
    return anExecution({
      network: [REACHED, REFUSED],
      limitsReached: [{ limit: 'max_open_files', allowed: 64, used: null }],
    });
  });
  const coordinator = await harness.start();
  const { result } = harness.submit(coordinator, 'shell', { line: 'curl https://github.com/x' });
  return { harness, result: await result };
}

test('the model is told which hosts it could not reach and why, and which limits it hit', async () => {
  const { result } = await runCurl();
  expect(result.content).toContain('network refused: "evil.example:443" is not among the hosts');
  expect(result.content).not.toContain('github.com:443');
  expect(result.content).toContain(
    'limit reached: 64 files open in one process (sandbox.resource_limits.max_open_files)',
  );
});

test('every target is in the result, the audit line and the events, with the command’s id (G7)', async () => {
  const { harness, result } = await runCurl();
  expect(result.network).toEqual([REACHED, REFUSED]);
  expect(harness.auditLines()).toMatchObject([{ command_id: result.commandId, network: [REACHED, REFUSED] }]);
  const events = await harness.reported('network_connection');
  expect(events).toMatchObject([
    { commandId: result.commandId, outcome: 'reached', target: 'github.com:443' },
    { commandId: result.commandId, outcome: 'refused', target: 'evil.example:443', why: REFUSED.why },
  ]);
  expect(harness.requests[0]?.network).toEqual({ hosts: ['github.com:*'] });
});
