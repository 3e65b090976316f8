import { aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { KeyName } from '../../terminal/keyboard.ts';
import { screenText } from '../../testing/screen-text.ts';
import { createMessagePrompt, type Recipient, type TypedMessage } from './message-prompt.ts';

const A = { id: aSessionId('a'), provider: aProviderId('openai') };
const B = { id: aSessionId('b'), provider: aProviderId('anthropic') };

function open(...sessions: Recipient[]) {
  const sent: TypedMessage[] = [];
  const prompt = createMessagePrompt({
    recipients: () => sessions,
    send: (message) => void sent.push(message),
    redraw: () => undefined,
  });
  const type = (text: string): boolean[] =>
    Array.from(text).map((letter) => prompt.press({ kind: 'text', text: letter }));
  const press = (name: KeyName): boolean => prompt.press({ kind: 'named', name });
  const shown = (): string => screenText(prompt.rows({ width: 100 } as Parameters<typeof prompt.rows>[0]));
  return { sent, type, press, shown, sessions };
}

test('i opens a line, Enter sends it to the one session, and other keys are not taken before (S003-66)', () => {
  const { sent, type, press, shown } = open(A);
  expect(type('x')).toEqual([false]);
  expect(shown()).toBe('');
  expect(type('iMind the tabs').every(Boolean)).toBe(true);
  expect(shown()).toMatch(/^ to openai: Mind the tabs/);
  expect(shown()).not.toContain('Tab');
  expect(press('ctrl-c')).toBe(false);
  press('enter');
  expect(sent).toEqual([{ to: [A], text: 'Mind the tabs', interrupts: false }]);
  expect(shown()).toBe('');
});

test('with several sessions all are meant, and Tab chooses one after another', () => {
  const { sent, type, press, shown } = open(A, B);
  type('i! Stop');
  expect(shown()).toMatch(/^ to all: ! Stop/);
  const names = [1, 2, 3, 4].map(() => {
    press('tab');
    return /^ to (\w+):/.exec(shown())?.[1];
  });
  expect(names).toEqual(['openai', 'anthropic', 'all', 'openai']);
  press('enter');
  expect(sent).toEqual([{ to: [A], text: 'Stop', interrupts: true }]);
});

test('Esc, and an empty line, send nothing; a message for a session that has ended stays, until Tab chooses another', () => {
  const { sent, type, press, shown, sessions } = open(A, B);
  type('iNo');
  press('escape');
  type('i ! ');
  press('enter');
  type('iFor you');
  press('tab');
  sessions.shift();
  expect(shown()).toContain('nobody: it has ended');
  press('enter');
  expect(sent).toEqual([]);
  expect(shown()).toContain('to nobody: it has ended: For you');
  press('tab');
  press('enter');
  expect(sent).toEqual([{ to: [B], text: 'For you', interrupts: false }]);
  sessions.length = 0;
  expect(type('i')).toEqual([false]);
});
