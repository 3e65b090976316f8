import type { CommandRecord, JsonObject } from '@signalbox/core';
import { stringify } from 'yaml';

/** A rule as `rules:` would hold it. */
export type RuleText = JsonObject & { readonly id: string };

/** For whom a rule counts: this session, this workspace (yours alone, or shared with all), all your workspaces. */
export const SCOPES = ['session', 'local', 'workspace', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * For whom a rule that is made of a call may count, the usual one first. A line of a person's own has a session to itself:
 * a rule for that would end with the very line.
 */
export function scopesFor({ context }: Pick<CommandRecord, 'context'>): readonly [Scope, ...Scope[]] {
  return context.provider === 'you' ? ['local', 'workspace', 'user'] : SCOPES;
}

/** What would be stored. */
export type DraftOfRule = Readonly<{ rule: RuleText; scope: Scope }>;

export type Proposal =
  | Readonly<{ kind: 'rule'; rule: RuleText }>
  /** No rule could answer this for good. */
  | Readonly<{ kind: 'never'; why: string }>;

export type CheckedDraft =
  | Readonly<{ kind: 'fits'; rule: RuleText }>
  | Readonly<{ kind: 'unfit'; why: string }>;

/** Where a rule stands now, and whether it counts already. */
export type StoredDraft = Readonly<{ id: string; where: string; counts: boolean }>;

/** One line of YAML, as a person edits it. */
export function ruleLine(rule: RuleText): string {
  return stringify(rule, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
}
