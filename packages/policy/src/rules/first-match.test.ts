import { mergeLayers } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createPolicy } from '../governance/create-policy.ts';
import { PATH_CONTEXT, settingsOf } from '../governance/testing/question-builders.ts';
import { lineQuestion } from './testing/rule-questions.ts';

const shopgen = { program: 'shopgen', args: ['**'] };
const TRY_RUN = { id: 'try-run', allow: { program: 'shopgen', args: ['--dry-run', '**'] } };
const NO_SHOPGEN = { id: 'no-shopgen', deny: { program: 'shopgen' } };
const LIST = [TRY_RUN, NO_SHOPGEN, { id: 'too-late', allow: shopgen }];

function ruled(
  authorization: object,
  line: string,
  { rules = [] }: Readonly<{ rules?: readonly object[] }> = {},
): string {
  const settings = settingsOf({ rules, tools: { authorization: { enabled: true, ...authorization } } });
  const { kind, rule } = createPolicy(settings, PATH_CONTEXT).rule(lineQuestion(line));
  return `${kind} ${rule}`;
}

describe('tools.authorization (D6, S001-128)', () => {
  test('decides by the first matching rule of the list', () => {
    expect(ruled({ rules: LIST }, 'shopgen --dry-run src')).toBe('allow try-run');
    expect(ruled({ rules: LIST }, 'shopgen src')).toBe('deny no-shopgen');
    expect(ruled({ rules: LIST.toReversed() }, 'shopgen src')).toBe('allow too-late');
    expect(ruled({ rules: LIST }, 'other')).toBe('ask unknown-program-asks');
  });

  test('does nothing until it is enabled', () => {
    expect(ruled({ rules: LIST, enabled: false }, 'shopgen src')).toBe('ask unknown-program-asks');
  });

  test('is appended to the other rules, of which the strictest wins', () => {
    const deny = [{ id: 'never', deny: { program: 'shopgen' } }];
    expect(ruled({ rules: [TRY_RUN] }, 'shopgen --dry-run', { rules: deny })).toBe('deny never');
    const ask = [{ id: 'look', ask: { program: 'shopgen' }, approvers: 2 }];
    expect(ruled({ rules: [TRY_RUN] }, 'shopgen --dry-run', { rules: ask })).toBe('ask look');
    const allow = [{ id: 'free', allow: shopgen }];
    expect(ruled({ rules: [NO_SHOPGEN] }, 'shopgen src', { rules: allow })).toBe('deny no-shopgen');
    expect(ruled({ rules: [] }, 'shopgen src', { rules: allow })).toBe('allow free');
  });

  test('an ask of the list applies, and the rules after an allow are not read', () => {
    const rules = [TRY_RUN, { id: 'look', ask: { program: 'shopgen' } }, NO_SHOPGEN];
    expect(ruled({ rules }, 'shopgen src')).toBe('ask look');
    expect(ruled({ rules }, 'shopgen --dry-run src')).toBe('allow try-run');
  });

  test('a deny that may match asks, and no later allow counts', () => {
    const rules = [
      { id: 'no-src', deny: { program: 'shopgen', args: ['src'] } },
      { id: 'all', allow: shopgen },
    ];
    expect(ruled({ rules }, 'shopgen $X')).toBe('ask no-src');
    expect(ruled({ rules }, 'shopgen test')).toBe('allow all');
  });

  test('an allow matches a line only as a whole, and lifts no more than others do', () => {
    expect(ruled({ rules: [TRY_RUN] }, 'shopgen --dry-run && touch a')).toMatch(/^ask/);
    expect(ruled({ rules: [{ id: 'rm', allow: { program: 'rm', args: ['**'] } }] }, 'rm -rf src')).toBe(
      'ask dangerous-asks',
    );
  });

  test('each file has its own list, and between them the strictest wins; a shared one allows nothing untrusted', () => {
    const file = (kind: 'user' | 'workspace', rules: readonly object[]) => ({
      kind,
      source: `${kind}.yaml`,
      value: { tools: { authorization: { enabled: true, rules } } },
    });
    const rule = (layers: readonly ReturnType<typeof file>[], isTrusted: boolean) => {
      const merged = mergeLayers(layers, { isTrusted: () => isTrusted });
      if (merged.kind === 'invalid') throw new Error(JSON.stringify(merged.problems));
      const {
        kind,
        rule: id,
        source,
      } = createPolicy(merged.settings, PATH_CONTEXT).rule(lineQuestion('shopgen --dry-run'));
      return `${kind} ${id} ${source}`;
    };
    const mine = file('user', [TRY_RUN]);
    expect(rule([mine, file('workspace', [NO_SHOPGEN])], true)).toBe('deny no-shopgen workspace.yaml');
    expect(rule([file('user', [NO_SHOPGEN]), file('workspace', [TRY_RUN])], true)).toBe(
      'deny no-shopgen user.yaml',
    );
    expect(rule([file('workspace', [TRY_RUN])], true)).toBe('allow try-run workspace.yaml');
    expect(rule([file('workspace', [TRY_RUN])], false)).toBe('ask unknown-program-asks built in');
  });
});

test('a rule of the list that does not apply now is skipped', () => {
  const now = [
    { ...NO_SHOPGEN, modes: ['ALERT'] },
    { id: 'free', allow: shopgen },
  ];
  expect(ruled({ rules: now }, 'shopgen src')).toBe('allow free');
});
