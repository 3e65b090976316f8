import type { CallContextInput, CommandResult } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import { ANA, createHarness, type CoordinatorHarness } from '../testing/coordinator-harness.ts';

type Refused = {
  readonly name: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly call: readonly [
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context?: Partial<CallContextInput>,
  ];
  /** What must happen before the call, and after it. */
  readonly before?: (harness: CoordinatorHarness, coordinator: Coordinator) => Promise<unknown>;
  readonly after?: (
    harness: CoordinatorHarness,
    coordinator: Coordinator,
    submitted: Submitted,
  ) => Promise<unknown>;
};

async function deny(
  harness: CoordinatorHarness,
  { approvals }: Coordinator,
  { commandId }: Submitted,
): Promise<void> {
  const { approval } = await harness.record(commandId);
  if (approval !== null)
    await approvals.answer(commandId, { kind: 'deny' }, { by: ANA, expect: approval.callHash });
}

const REFUSED: readonly Refused[] = [
  { name: 'no such tool', call: ['nope', {}] },
  { name: 'arguments that do not fit', call: ['echo', { text: 7 }] },
  { name: 'text with redactions', call: ['hold', { path: '[redacted:key]' }] },
  { name: 'a path outside', call: ['hold', { path: '../x' }] },
  { name: 'a protected path', call: ['hold', { path: '.git/config' }] },
  { name: 'a blocked line', call: ['shell', { line: 'sudo reboot' }] },
  {
    name: 'a mode',
    call: ['hold', { path: 'a' }],
    before: (_, coordinator) => coordinator.setMode('LOCKDOWN', { by: 'ana', reason: 'odd' }),
  },
  {
    name: 'a rule of a person',
    settings: { rules: [{ id: 'no', deny: { program: 'touch' }, because: 'not here' }] },
    call: ['shell', { line: 'touch a' }],
  },
  {
    name: 'the quota',
    settings: { tools: { max_tool_calls_per_session: 0 } },
    call: ['echo', { text: 'x' }],
  },
  {
    name: 'a rate',
    settings: { tools: { echo: { rate_limit_per_hour: 1 } } },
    call: ['echo', { text: 'x' }],
    before: async (harness, coordinator) => harness.submit(coordinator, 'echo', { text: 'y' }).result,
  },
  {
    name: 'a repeated call',
    settings: { approval: { approval_mode: 'allow_all' }, tools: { repeated_calls: { refuse: 2 } } },
    call: ['shell', { line: 'touch x' }],
    before: async (harness, coordinator) => harness.submit(coordinator, 'shell', { line: 'touch x' }).result,
  },
  { name: 'no one can be asked', call: ['hold', { path: 'a' }, { asking: 'never' }] },
  { name: 'a person who refuses', call: ['hold', { path: 'a' }], after: deny },
  {
    name: 'a question that expired',
    call: ['hold', { path: 'a' }],
    after: (harness) => harness.clock.advance(30 * 60_000),
  },
  {
    name: 'a cancel',
    call: ['hold', { path: 'a' }],
    after: (_, coordinator, { commandId }) => coordinator.cancel(commandId, { by: 'ana', reason: 'enough' }),
  },
  {
    name: 'a stop of Signalbox',
    call: ['hold', { path: 'a' }],
    after: async (harness, coordinator, { commandId }) => {
      await coordinator.cancel(commandId, { by: 'signalbox', reason: 'Signalbox is stopping' });
      await harness.settle();
    },
  },
  {
    name: 'a tool that breaks',
    settings: { approval: { approval_mode: 'allow_all' } },
    call: ['broken', { text: 'x' }],
  },
];

test.for(REFUSED.map((one) => [one.name, one] as const))(
  'a model reads “%s” in one block with what to do instead, and a person in plain words (S000-95, S002-17)',
  async ([, { settings, call, before, after }]) => {
    const harness = createHarness(settings);
    const coordinator = await harness.start();
    await before?.(harness, coordinator);
    const [tool, args, context] = call;
    const submitted = harness.submit(coordinator, tool, args, context);
    await submitted.resting;
    await after?.(harness, coordinator, submitted);
    expectTold(await submitted.result);
    expect(harness.auditLines().at(-1)).toMatchObject({
      command_id: submitted.commandId,
      error_code: expect.any(String),
    });
  },
);

function expectTold({ content, failure, success }: CommandResult): void {
  expect(success).toBe(false);
  expect(content).toMatch(
    /^\[tool_error\]\ncategory: \w+\nmessage: \S.+\nsuggestion: \S.+\nretryable: (true|false)(\n|$)/,
  );
  // Sentences, not codes: a capital, words, no full stop.
  expect(failure?.message).toMatch(/^[A-Z“"[].* .*[^.]$/);
}
