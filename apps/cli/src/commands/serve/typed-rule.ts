import { JsonObject, UserRule } from '@signalbox/core';
import { checkRules } from '@signalbox/policy';
import { parse } from 'yaml';
import type { RuleText } from '../../runtime/rules/rule-draft.ts';

export type TypedRule = Readonly<{ kind: 'fits'; rule: RuleText }> | Readonly<{ kind: 'unfit'; why: string }>;

/** Parses a rule as typed or pasted: after `rules:`, as an entry of a list, or alone. */
export function readTypedRule(typed: string): TypedRule {
  const written = writtenRule(typed);
  if (typeof written === 'string') return { kind: 'unfit', why: written };
  const parsed = UserRule.safeParse(written);
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) {
    const where = issue?.path.join('.') ?? '';
    return { kind: 'unfit', why: `${where} ${issue?.message ?? 'is not a rule'}`.trim() };
  }
  const [problem] = checkRules([parsed.data]);
  if (problem !== undefined) return { kind: 'unfit', why: problem.message };
  return { kind: 'fits', rule: { ...written, id: parsed.data.id } };
}

/** The rule in that text, or why there is none. */
function writtenRule(typed: string): JsonObject | string {
  let value: unknown;
  try {
    value = parse(typed);
  } catch (error) {
    return `it is not YAML: ${String(error instanceof Error ? error.message.split('\n')[0] : error)}`;
  }
  const list = Array.isArray(value) ? value : listOf(value);
  if (list !== null && list.length !== 1) return `it must be one rule, not ${list.length}`;
  const rule: unknown = list === null ? value : list[0];
  return JsonObject.safeParse(rule).data ?? 'it is not a rule: write id, and one of allow, ask and deny';
}

function listOf(value: unknown): readonly unknown[] | null {
  const isNamed = typeof value === 'object' && value !== null && 'rules' in value;
  return isNamed && Array.isArray(value.rules) ? value.rules : null;
}
