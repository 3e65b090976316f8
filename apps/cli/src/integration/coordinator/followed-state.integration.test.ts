import { applyEvents, type WorkspaceState, workspaceStateOf } from '@signalbox/api';
import { CallHash } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { accessOf } from '../../testing/access-of.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'terminal' } as const;

const call = fc.constantFrom<readonly [tool: string, args: Readonly<Record<string, unknown>>]>(
  ['echo', { text: 'a' }],
  ['failing_tool', {}],
  ['read_file', { path: 'missing.txt' }],
  ['write_file', { path: 'a.txt', content: 'a\n' }],
  ['nope', {}],
  ['bash', { line: 'echo a; echo b >&2' }],
  ['bash', { line: 'touch made.txt' }],
  ['bash', { line: 'false' }],
  ['bash', { line: 'sleep 60' }],
  ['bash', { line: 'rm -rf /' }],
);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      call,
      provider: fc.constantFrom('openai', 'anthropic'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      nth: fc.nat(9),
      kind: fc.constantFrom('approve' as const, 'deny' as const),
      stale: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), nth: fc.nat(9) }) },
  fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom('NORMAL' as const, 'ALERT' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Without what only a snapshot knows: its blockers and claims are those of its moment. An event is some milliseconds
 * older or younger than what it says: only whether there is a time counts.
 */
function shown({ commands, sessions, mode, ...state }: WorkspaceState): object {
  const seen = [...commands.values()].map((command) =>
    withoutTimes({ ...command, blockers: [], claims: [] }),
  );
  return { ...state, mode: withoutTimes(mode), commands: seen, sessions: [...sessions.values()] };
}

function withoutTimes(value: object): object {
  const entries = Object.entries(value).map(([key, at]: [string, unknown]) =>
    /At$|^since$/.test(key) ? [key, at !== null] : [key, at],
  );
  return Object.fromEntries(entries) as object;
}

async function play(own: TestRuntime, steps: readonly Step[]): Promise<void> {
  const { coordinator } = own.runtime;
  const ids: ReturnType<TestRuntime['submit']>[] = [];
  for (const next of steps) {
    if (next.do === 'submit') {
      const [tool, args] = next.call;
      const sent = own.submit(next.provider, tool, { args });
      ids.push(sent);
      await sent.resting;
    } else if (next.do === 'mode') {
      await coordinator.setMode(next.mode, { by: 'ana', reason: 'a test' });
    } else if (next.do === 'cancel') {
      const sent = ids[next.nth % Math.max(1, ids.length)];
      if (sent !== undefined) await coordinator.cancel(sent.commandId, { by: 'ana', reason: 'a test' });
    } else {
      const pending = await coordinator.approvals.pending();
      const record = pending[next.nth % Math.max(1, pending.length)];
      if (record?.approval == null) continue;
      const expected = next.stale ? CallHash.parse('0'.repeat(64)) : record.approval.callHash;
      await coordinator.approvals.answer(record.id, { kind: next.kind }, { by: ANA, expect: expected });
    }
  }
  for (const { commandId } of ids) await coordinator.cancel(commandId, { by: 'ana', reason: 'the end' });
  await Promise.all(ids.map(({ result }) => result));
}

test('whatever happens, a screen that follows the events shows what the store holds', async () => {
  await using own = await openTestRuntime({ settings: { approval: { prompt_on_warning: true } } });
  const client = clientAt(accessOf(own.workspace));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const before = await client.getSnapshot();
      await play(own, steps);
      const replay = await own.runtime.events.since(before.lastEventId, 100_000);
      if (replay.kind !== 'events') throw new Error('the events are gone');
      const followed = applyEvents(workspaceStateOf(before), replay.events);
      expect(shown(followed)).toEqual(shown(workspaceStateOf(await client.getSnapshot())));
    }),
    { numRuns: 30, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false },
  );
});
