import { createToolRegistry, type ErrorCategory, ToolFailure } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createHarness, FREE } from '../../testing/coordinator-harness.ts';

test.for<[string, ErrorCategory, Readonly<{ retryable: boolean; runs: number }>]>([
  ['a transient failure of a tool that may be retried', 'ServerError', { retryable: true, runs: 2 }],
  [
    'a transient failure of any other tool, which may have had an effect',
    'ServerError',
    { retryable: false, runs: 1 },
  ],
  ['a permanent failure', 'PermanentFailure', { retryable: true, runs: 1 }],
  ['a refusal', 'PolicyBlocked', { retryable: true, runs: 1 }],
  ['an unknown name', 'ToolNotFound', { retryable: true, runs: 1 }],
  ['a badly written call', 'InvalidParameters', { retryable: true, runs: 1 }],
])(
  'only a transient failure of a tool that may be retried is retried, once: %s (X-17, S001-07, S001-120)',
  async ([, category, { retryable, runs }]) => {
    const harness = createHarness({ ...FREE, tools: { retry: { base_ms: 0 } } });
    let handled = 0;
    const failing = harness.tools.list.map((tool) => ({
      ...tool,
      retryable,
      handle: () => {
        handled += 1;
        return Promise.reject(new ToolFailure({ code: 'no', category, message: 'Cannot do it' }));
      },
    }));
    const coordinator = await harness.start({ tools: createToolRegistry(failing) });
    const { result } = harness.submit(coordinator, 'echo', { text: 'a' });
    for (let wait = 0; wait < 20; wait++) await harness.clock.advance(100);
    expect((await result).outcome.kind).toBe('failed');
    expect(handled).toBe(runs);
  },
);
