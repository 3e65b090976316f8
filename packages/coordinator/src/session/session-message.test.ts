import { describe, expect, test } from 'vitest';
import { read, setUpHarness } from './testing/session-harness.ts';

describe('a message to a session', () => {
  test('goes before the next turn', async () => {
    const harness = setUpHarness([
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ]);
    const session = harness.start();
    await harness.submitted(1);
    expect(session.say('And b too.')).toBe(true);
    harness.commands[0]?.end('aaa');
    await session.finished;
    expect(harness.provider.requests[1]?.messages.slice(3)).toMatchObject([
      { role: 'tool' },
      { role: 'user', text: 'And b too.' },
    ]);
    expect(session.say('And c.')).toBe(false);
  });

  test('keeps a session from ending after its final answer', async () => {
    const harness = setUpHarness([
      { kind: 'answer', text: 'Done.' },
      { kind: 'answer', text: 'Now b too.' },
    ]);
    const session = harness.start();
    harness.onEvent(
      (event) => void (event.type === 'turn_started' && event.turn === 1 && session.say('And b.')),
    );
    expect(await session.finished).toMatchObject({ message: 'Now b too.', turns: 2 });
  });
});
