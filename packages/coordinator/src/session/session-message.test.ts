import { describe, expect, test } from 'vitest';
import { read, setUpHarness } from './testing/session-harness.ts';

const said = (text: string, interrupts = false) => ({ text, by: 'ana', interrupts });

describe('a message to a session', () => {
  test('goes before the next turn', async () => {
    const harness = setUpHarness([
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ]);
    const session = harness.start();
    await harness.submitted(1);
    expect(session.say(said('And b too.'))).toBe(true);
    harness.commands[0]?.end('aaa');
    await session.finished;
    expect(harness.provider.requests[1]?.messages.slice(3)).toMatchObject([
      { role: 'tool' },
      { role: 'user', text: 'And b too.' },
    ]);
    expect(session.say(said('And c.'))).toBe(false);
  });

  test('keeps a session from ending after its final answer', async () => {
    const harness = setUpHarness([
      { kind: 'answer', text: 'Done.' },
      { kind: 'answer', text: 'Now b too.' },
    ]);
    const session = harness.start();
    harness.onEvent(
      (event) => void (event.type === 'turn_started' && event.turn === 1 && session.say(said('And b.'))),
    );
    expect(await session.finished).toMatchObject({ message: 'Now b too.', turns: 2 });
  });

  test('beyond 50 unread ones is refused, and the session reads those 50', async () => {
    const harness = setUpHarness([
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ]);
    const session = harness.start();
    await harness.submitted(1);
    for (let n = 1; n <= 50; n += 1) session.say(said(`message ${n}`));
    expect(() => session.say(said('one more'))).toThrow('it has not read the last 50 messages yet');
    harness.commands[0]?.end('aaa');
    await session.finished;
    expect(harness.provider.requests[1]?.messages.at(-1)).toMatchObject({ text: 'message 50' });
  });

  test('that interrupts costs no turn: only those that ended count', async () => {
    const harness = setUpHarness([
      { kind: 'stall', text: 'I' },
      { kind: 'stall', text: 'I' },
      { kind: 'answer', text: 'Now b.' },
    ]);
    const session = harness.start({ maxIterations: 1 });
    await harness.reported('turn_started');
    session.say(said('Do b.', true));
    await harness.reported('turn_started', 2);
    session.say(said('Do b now.', true));
    expect(await session.finished).toMatchObject({ finish: 'finished', message: 'Now b.', turns: 1 });
  });

  test('that interrupts ends the turn, and is read in the next', async () => {
    const harness = setUpHarness([
      { kind: 'stall', text: 'I' },
      { kind: 'answer', text: 'Now b.' },
    ]);
    const session = harness.start();
    await harness.reported('turn_started');
    session.say(said('Do b.', true));
    expect(await session.finished).toMatchObject({ finish: 'finished', message: 'Now b.' });
    expect(harness.provider.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'Do b.' });
    expect(harness.events).toContainEqual(
      expect.objectContaining({ type: 'message_said', text: 'Do b.', by: 'ana', interrupts: true }),
    );
    expect(harness.events.filter(({ type }) => type === 'turn_failed')).toEqual([]);
  });

  test('that interrupts cancels running commands, and their results come before it', async () => {
    const harness = setUpHarness([
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Now b.' },
    ]);
    const session = harness.start();
    await harness.submitted(1);
    session.say(said('Do b.', true));
    expect(harness.cancelled).toEqual(harness.commands.map(({ id }) => id));
    harness.commands[0]?.end('stopped');
    await session.finished;
    expect(harness.provider.requests[1]?.messages.slice(3)).toMatchObject([
      { role: 'tool', results: [{ callId: 'c1' }] },
      { role: 'user', text: 'Do b.' },
    ]);
  });

  test('that interrupts ends the wait before a retry', async () => {
    const harness = setUpHarness([{ kind: 'server-error' }, { kind: 'answer', text: 'Now b.' }]);
    const session = harness.start();
    harness.onEvent((event) => void (event.type === 'turn_failed' && session.say(said('Do b.', true))));
    expect(await session.finished).toMatchObject({ finish: 'finished', message: 'Now b.' });
    expect(harness.provider.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'Do b.' });
  });
});
