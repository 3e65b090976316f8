import type { Claim, Settings, Tool, Verdict } from '@signalbox/core';
import { claimsOf } from './claims-of.ts';

/** Whether shell lines currently run as transactions, as the executor's probe found. */
type Transactions = { readonly transactional: boolean };

/** The claims a call needs before it starts. */
export function claimsOfCall(
  verdict: Verdict,
  { shellLine }: Pick<Tool, 'shellLine'>,
  { transactional, settings }: Transactions & { readonly settings: Pick<Settings, 'isolation'> },
): readonly Claim[] {
  const isTransaction = transactional && shellLine !== undefined;
  return claimsOf(verdict, { isTransaction, isStable: settings.isolation === 'stable' });
}

/** Whether `undo` could restore what the call changes in the workspace; writes of MCP servers can't be undone. */
export function isReversible(
  { shellLine, category, kind }: Pick<Tool, 'shellLine' | 'category' | 'kind'>,
  { transactional }: Transactions,
): boolean {
  return transactional && (shellLine !== undefined || (category === 'system_write' && kind === 'builtin'));
}
