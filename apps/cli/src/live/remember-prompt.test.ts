import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { textOf } from '../terminal/edit-text.ts';
import { parseKeys } from '../terminal/keyboard.ts';
import { anAskedCommand } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { promptView } from './prompt-view.ts';
import {
  GUARD_MS,
  openPrompt,
  pressKey,
  type PromptEffect,
  type PromptState,
  rulesProposed,
  typedRuleChecked,
} from './approval-prompt.ts';
import type { RuleText } from '../runtime/rules/rule-draft.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const asked = anAskedCommand('npm install zod@4', 'warning', { reasons: [] });
const RULE: RuleText = {
  id: 'npm-install-zod-4',
  allow: { program: 'npm', args: ['install', 'zod@4'] },
  because: 'p9ze, approved by ana',
  examples: { match: ['npm install zod@4'] },
};
const NOW = Date.parse('2026-11-21T10:00:00Z');

function press(state: PromptState, keys: string): { state: PromptState; effects: PromptEffect[] } {
  const effects: PromptEffect[] = [];
  let current = state;
  for (const key of parseKeys(keys)) {
    const step = pressKey(current, NOW + GUARD_MS, key);
    current = step.state;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  return { state: current, effects };
}

function offered(): PromptState {
  const { state, effects } = press(openPrompt(asked, NOW), 'r');
  expect(effects).toEqual([{ kind: 'propose' }]);
  return rulesProposed(state, NOW, { kind: 'rule', rule: RULE });
}

test('r shows the rule exactly as stored; ↵ writes it and approves, Esc does neither', () => {
  expect(screenText(promptView(offered(), { waiting: 1, me: ANA }, RENDER))).toMatchInlineSnapshot(`
      " Remember p9ze   for this session only; ends with it
           - id: npm-install-zod-4
             allow: { program: npm, args: [ install, zod@4 ] }
             because: "p9ze, approved by ana"
             examples:
               match:
                 - npm install zod@4
       ↵ save rule and approve   [E]dit   [Tab] scope   [Esc]"
    `);
  expect(press(offered(), '\r').effects).toEqual([
    { kind: 'approve-and-remember', draft: { rule: RULE, scope: 'session' } },
  ]);
  const back = press(offered(), '\x1b');
  expect([back.state.at.step, back.effects]).toEqual(['asking', []]);
});

test('Tab selects the scope; in a file a rule expires in 30 days unless x changes that', () => {
  const scopes = ['\t', '\t\t', '\t\t\t', '\t\t\t\t'].map((tabs) => press(offered(), `${tabs}\r`).effects[0]);
  expect(scopes).toEqual([
    { kind: 'approve-and-remember', draft: { rule: endingOn('2026-12-22'), scope: 'local' } },
    { kind: 'approve-and-remember', draft: { rule: endingOn('2026-12-22'), scope: 'workspace' } },
    { kind: 'approve-and-remember', draft: { rule: endingOn('2026-12-22'), scope: 'user' } },
    { kind: 'approve-and-remember', draft: { rule: RULE, scope: 'session' } },
  ]);
  const ends = ['x', 'xx', 'xxx', 'xxxx'].map(
    (keys) => ruleOf(press(offered(), `\t${keys}\r`).effects[0])['expires'],
  );
  expect(ends).toEqual(['2026-11-29T00:00:00Z', '2026-11-23T00:00:00Z', undefined, '2026-12-22T00:00:00Z']);
  expect(press(offered(), 'x\r').effects).toEqual([
    { kind: 'approve-and-remember', draft: { rule: RULE, scope: 'session' } },
  ]);
});

test('for the user’s own line no session rule is offered, because it would end with the line', () => {
  const mine = { ...asked, context: { ...asked.context, provider: aProviderId('you') } };
  const open = rulesProposed(openPrompt(mine, NOW), NOW, { kind: 'rule', rule: RULE });
  const scopes = ['', '\t', '\t\t', '\t\t\t'].map((tabs) => press(open, `${tabs}\r`).effects[0]);
  expect(scopes).toEqual(
    ['local', 'workspace', 'user', 'local'].map((scope) => ({
      kind: 'approve-and-remember',
      draft: { rule: endingOn('2026-12-22'), scope },
    })),
  );
});

test('an edited rule is checked before it can be written, and an invalid one stays open for editing', () => {
  const typed = press(offered(), 'e\x1b[H\x1b[C\x1b[C');
  expect(typed.effects).toEqual([]);
  const text = typedText(typed.state);
  expect(text).toBe(
    '{ id: npm-install-zod-4, allow: { program: npm, args: [ install, zod@4 ] }, because: "p9ze, approved by ana", examples: { match: [ npm install zod@4 ] } }',
  );
  const tried = press(typed.state, '\r');
  expect(tried.effects).toEqual([{ kind: 'check-rule', text }]);
  const unfit = typedRuleChecked(tried.state, text, {
    kind: 'unfit',
    why: 'it is not an allow rule: write allow',
  });
  expect(screenText(promptView(unfit, { waiting: 1, me: ANA }, RENDER))).toContain(
    'cannot be used: it is not an allow rule',
  );
  expect(press(unfit, '\x1b').state.at.step).toBe('remembering');
  const narrower = { ...RULE, providers: ['openai'] };
  const fits = typedRuleChecked(tried.state, text, { kind: 'fits', rule: narrower });
  expect(press(fits, '\r').effects).toEqual([
    { kind: 'approve-and-remember', draft: { rule: narrower, scope: 'session' } },
  ]);
  const late = typedRuleChecked(press(tried.state, 'x').state, text, { kind: 'fits', rule: narrower });
  expect(late.at.step === 'remembering' && late.at.remember.typed !== null).toBe(true);
});

test('if no rule can be made it says why, and the key disappears', () => {
  const why = 'dangerous calls always need approval';
  const never = rulesProposed(openPrompt(asked, NOW), NOW, { kind: 'never', why });
  expect(screenText(promptView(never, { waiting: 1, me: ANA }, RENDER))).toMatchInlineSnapshot(`
      " ! deepseek p9ze warning  bash npm install zod@4                       4:19 left
         no rule: dangerous calls always need approval
       [A]pprove  [D]eny  [M]odify  [V]iew  [+]5m  [?]  [Esc] later"
    `);
});

test('a proposal that arrives after the user has moved on is dropped', () => {
  const denying = press(openPrompt(asked, NOW), 'd').state;
  expect(rulesProposed(denying, NOW, { kind: 'rule', rule: RULE })).toBe(denying);
});

function endingOn(day: string): RuleText {
  return { ...RULE, expires: `${day}T00:00:00Z` };
}

function ruleOf(effect: PromptEffect | undefined): RuleText {
  if (effect?.kind !== 'approve-and-remember') throw new Error('nothing to remember');
  return effect.draft.rule;
}

function typedText({ at }: PromptState): string {
  if (at.step !== 'remembering' || at.remember.typed === null) throw new Error('nothing typed');
  return textOf(at.remember.typed);
}
