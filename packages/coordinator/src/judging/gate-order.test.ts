import type { Mode } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createHarness } from '../testing/coordinator-harness.ts';

/** A call and the circumstances in which it is made. */
type Plan = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly mode: Mode;
  readonly asking: 'wait' | 'never';
  readonly tools: Readonly<Record<string, unknown>>;
};

const WRITE: Plan = { tool: 'hold', args: { path: 'a' }, mode: 'NORMAL', asking: 'wait', tools: {} };
const LINE: Plan = { ...WRITE, tool: 'shell', args: { line: 'touch a' } };

/** How to make a call fail at a gate, and the code of its refusal. */
type Gate = { readonly name: string; readonly code: string; readonly trip: (plan: Plan) => Plan };

const registered: Gate = {
  name: 'registered',
  code: 'tool-not-found',
  trip: (plan) => ({ ...plan, tool: 'nope' }),
};
const schema: Gate = {
  name: 'schema',
  code: 'invalid-arguments',
  trip: (plan) => ({ ...plan, args: { ...plan.args, colour: 'red' } }),
};
const mode: Gate = {
  name: 'mode',
  code: 'denied-by-mode',
  trip: (plan) => ({ ...plan, mode: 'LOCKDOWN' }),
};
const blockList: Gate = {
  name: 'block list',
  code: 'blocked',
  trip: (plan) => ({ ...plan, args: { ...plan.args, line: `sudo ${String(plan.args['line'])}` } }),
};
const paths: Gate = {
  name: 'paths',
  code: 'path_not_allowed',
  trip: ({ args, ...plan }) => ({
    ...plan,
    args:
      'line' in args
        ? { ...args, line: `${String(args['line'])} .git/config` }
        : { ...args, path: '.git/config' },
  }),
};
const sizes: Gate = {
  name: 'sizes',
  code: 'too-large',
  trip: (plan) => ({ ...plan, tools: { ...plan.tools, [plan.tool]: { max_file_size_mb: 0.000_000_1 } } }),
};
const quota: Gate = {
  name: 'quota',
  code: 'quota_blocked',
  trip: (plan) => ({ ...plan, tools: { ...plan.tools, max_tool_calls_per_session: 0 } }),
};
const repeated: Gate = {
  name: 'loop gate',
  code: 'repeated-call',
  trip: (plan) => ({ ...plan, tools: { ...plan.tools, repeated_calls: { refuse: 2 } } }),
};
const approval: Gate = {
  name: 'approval',
  code: 'approval-needed',
  trip: (plan) => ({ ...plan, asking: 'never' }),
};

/** The refusal code of the second of two such calls. */
async function refusalOf({ tool, args, mode: of, asking, tools }: Plan): Promise<string | undefined> {
  const harness = createHarness({ tools });
  const coordinator = await harness.start();
  await coordinator.setMode(of, { by: 'ana', reason: 'because' });
  harness.submit(coordinator, tool, args);
  const second = harness.submit(coordinator, tool, args, { asking });
  await second.resting;
  return (await harness.record(second.commandId)).result?.failure?.code;
}

/** What is blocked is blocked in every mode, so the block list comes before the mode. */
const ORDERS: readonly (readonly [Plan, readonly Gate[]])[] = [
  [WRITE, [registered, schema, mode, paths, sizes, quota, repeated, approval]],
  [LINE, [registered, schema, blockList, mode, paths, quota, repeated, approval]],
];

for (const [plan, gates] of ORDERS) {
  test.for(gates.map((gate, at) => [gate.name, gate, gates.slice(at + 1)] as const))(
    `a ${plan.tool} call that fails at “%s” and at any later gate is refused there (X-06)`,
    async ([, gate, later]) => {
      expect(await refusalOf(gate.trip(plan))).toBe(gate.code);
      for (const other of later) {
        expect([other.name, await refusalOf(gate.trip(other.trip(plan)))]).toEqual([other.name, gate.code]);
      }
    },
  );
}
