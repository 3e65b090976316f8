import type { CommandRecord, JsonObject } from '@signalbox/core';
import { stringify } from 'yaml';

/** A rule as `rules:` would contain it. */
export type RuleText = JsonObject & { readonly id: string };

/** Scope of a rule: this session, this workspace (only yours, or shared), all your workspaces. */
export const SCOPES = ['session', 'local', 'workspace', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that a rule made from a call may have, the usual one first. A line of `exec` has a session to itself, so a
 * session rule would end with that line.
 */
export function scopesFor({ context }: Pick<CommandRecord, 'context'>): readonly [Scope, ...Scope[]] {
  return context.provider === 'you' ? ['local', 'workspace', 'user'] : SCOPES;
}

/** What would be stored. */
export type DraftOfRule = Readonly<{ rule: RuleText; scope: Scope }>;

export type Proposal =
  | Readonly<{ kind: 'rule'; rule: RuleText }>
  /** No rule could allow this permanently. */
  | Readonly<{ kind: 'never'; why: string }>;

export type CheckedDraft =
  | Readonly<{ kind: 'fits'; rule: RuleText }>
  | Readonly<{ kind: 'unfit'; why: string }>;

/** Where a rule is stored now, and whether it is in effect. */
export type StoredDraft = Readonly<{ id: string; where: string; counts: boolean }>;

/** One line of YAML, as a user edits it. */
export function ruleLine(rule: RuleText): string {
  return stringify(rule, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
}
