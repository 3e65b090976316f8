import { expect, test } from 'vitest';
import { parseKeys } from '../terminal/keyboard.ts';
import { anAskedCommand } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { approvalView } from '../views/command/approval-view.ts';
import { GUARD_MS, openPrompt, pressKey, type PromptEffect, type PromptState } from './approval-prompt.ts';
import { promptView } from './prompt-view.ts';

const base = anAskedCommand('true', 'safe', { reasons: [] });
const WORLD = { waiting: 1, me: { name: 'ana', channel: 'test' } } as const;

function asking(question: { text: string; choices: readonly string[]; allowText: boolean }): PromptState {
  const { approval } = base;
  if (approval === null) throw new Error('nothing is asked');
  return openPrompt({ ...base, approval: { ...approval, question } }, 0);
}

function press(state: PromptState, keys: string): readonly PromptEffect[] {
  const effects: PromptEffect[] = [];
  let current = state;
  for (const key of parseKeys(keys)) {
    const step = pressKey(current, GUARD_MS, key);
    current = step.state;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  return effects;
}

const OPEN = asking({ text: 'Which database?', choices: ['SQLite', 'PostgreSQL'], allowText: true });
const CLOSED = asking({ text: 'Go on?', choices: ['yes', 'no'], allowText: false });

test('a question is answered by the number of a choice, or by a typed line', () => {
  expect(press(OPEN, '2')).toEqual([{ kind: 'answer', text: 'PostgreSQL' }]);
  expect(press(OPEN, '3')).toEqual([]);
  expect(press(OPEN, 't  Files \r')).toEqual([{ kind: 'answer', text: 'Files' }]);
  expect(press(OPEN, 't \r')).toEqual([]);
  expect(press(CLOSED, 'tyes\r')).toEqual([]);
});

test('no key approves, modifies or remembers a question; d declines it', () => {
  expect(press(OPEN, 'amr')).toEqual([]);
  expect(press(OPEN, 'dnot now\r')).toEqual([{ kind: 'deny', reason: 'not now' }]);
});

test('the screen says who asks, and that an answer approves nothing', () => {
  const view = screenText(approvalView({ record: OPEN.record, full: false }, RENDER));
  expect(view).toContain('? QUESTION   deepseek asks you');
  expect(view).toContain('1  SQLite');
  expect(view).toContain('an answer approves no');
  expect(screenText(promptView(OPEN, WORLD, RENDER))).not.toMatch(/pprove\]/);
});
