import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FILES = { 'src/cart.ts': 'one\ntwo\n', 'src/b.ts': 'b\n' };

function open(utility: Readonly<Record<string, unknown>> = { enabled: true }): Promise<TestRuntime> {
  const settings = { approval: { approval_mode: 'allow_all' }, tools: { utility } };
  return openTestRuntime({ files: FILES, settings });
}

/** The failure code of each of these calls of one session, made one after another; null: it ran. */
async function codes(own: TestRuntime, ...lines: readonly string[]): Promise<readonly (string | null)[]> {
  const found: (string | null)[] = [];
  for (const line of lines) found.push((await own.call('openai', 'bash', { line })).failure?.code ?? null);
  return found;
}

const CAT = 'cat src/cart.ts';

test('a read that would repeat the same answer is skipped, with its terms and where the answer is (S001-112, S001-113) (setting: tools.utility.enabled)', async () => {
  await using own = await open();
  const first = await own.call('openai', 'bash', { line: CAT });
  const again = await own.call('openai', 'bash', { line: CAT });
  expect(again.outcome.kind).toBe('denied');
  expect(again.failure).toMatchObject({
    code: 'low-utility',
    message: expect.stringMatching(
      `redundant 0\\.9: same output as ${first.commandId} one read ago; gain 0\\.5, cost 0, exploration 0: score -0\\.4, below 0$`,
    ),
    suggestion: expect.stringContaining(`read_output ${first.commandId}`),
  });
  const event = await own.event('gate_decided', ({ decision }) => decision.decision === 'deny');
  expect(event).toMatchObject({ provider: 'openai', decision: { gate: 'utility', shadow: false } });
  const read = await own.call('openai', 'read_output', { command: first.commandId });
  expect(read.success).toBe(true);
  // Another session has not read it.
  expect((await own.call('codex', 'bash', { line: CAT })).success).toBe(true);
  expect((await createTestTerminal(own.workspace).signalbox('stats')).out).toMatch(
    /Utility gate: 1 call skipped, about \d+ tokens saved/,
  );
  await using off = await open({ enabled: false });
  expect(await codes(off, CAT, CAT)).toEqual([null, null]);
});

test('what was changed by anyone, also by hand, is read again', async () => {
  await using own = await open();
  expect(await codes(own, CAT, 'grep -c o src/cart.ts')).toEqual([null, null]);
  writeFileSync(join(own.workspace, 'src/cart.ts'), 'by hand\n');
  expect(await codes(own, CAT)).toEqual([null]);
  await own.call('codex', 'write_file', { path: 'src/cart.ts', content: 'by codex\n', overwrite: true });
  await own.call('codex', 'bash', { line: 'echo more >> src/cart.ts' });
  expect((await own.call('openai', 'bash', { line: CAT })).stdout).toContain('more');
});

test('in shadow a call runs, and its record, its event and stats tell what would have been skipped (setting: tools.utility.mode)', async () => {
  await using own = await open({ enabled: true, mode: 'shadow' });
  expect(await codes(own, CAT, CAT)).toEqual([null, null]);
  const event = await own.event('gate_decided', ({ decision }) => decision.decision === 'deny');
  expect(event.decision).toMatchObject({ gate: 'utility', shadow: true, terms: { redundancy: 0.9 } });
  expect((await createTestTerminal(own.workspace).signalbox('stats')).out).toMatch(
    /Utility gate, in shadow: 1 call would be skipped, about \d+ tokens saved/,
  );
});

test('a lower threshold skips less, a higher one more (S001-114) (setting: tools.utility.threshold)', async () => {
  await using low = await open({ enabled: true, threshold: -1 });
  expect(await codes(low, CAT, CAT)).toEqual([null, null]);
  await using high = await open({ enabled: true, threshold: 0.95 });
  expect(await codes(high, CAT, 'cat src/b.ts')).toEqual([null, 'low-utility']);
});

test('an exempt tool always runs (S001-115) (setting: tools.utility.exempt_tools)', async () => {
  await using own = await open({ enabled: true, exempt_tools: ['bash'] });
  expect(await codes(own, CAT, CAT)).toEqual([null, null]);
  const read = () => own.call('openai', 'git_status', {});
  await read();
  expect((await read()).failure?.code).toBe('low-utility');
});

test('what a person types or the task names runs, and so does all that has an effect (S001-110, S001-115, X-28)', async () => {
  await using own = await open();
  const run = async (provider: string, line: string, context: { readonly task?: string } = {}) => {
    const { failure } = await own.submit(provider, 'bash', { args: { line }, context }).result;
    return failure?.code ?? null;
  };
  for (let time = 0; time < 3; time++) {
    expect(await run('you', CAT)).toBeNull();
    expect(await run('local', CAT, { task: `Run \`${CAT}\` whenever I ask` })).toBeNull();
    expect(await run('local', 'touch src/new.ts')).toBeNull();
  }
  const blocked = await own.submit('you', 'bash', { args: { line: 'rm -rf /' } }).result;
  expect(blocked).toMatchObject({ outcome: { kind: 'denied' }, failure: { category: 'PolicyBlocked' } });
});
