import type { Claim, Settings, Tool, Verdict } from '@signalbox/core';
import { claimsOf } from './claims-of.ts';

/** Whether shell lines run as transactions now: what the executor's probe said. */
type Transactions = { readonly transactional: boolean };

/** What a call must hold before it starts. */
export function claimsOfCall(
  verdict: Verdict,
  { shellLine }: Pick<Tool, 'shellLine'>,
  { transactional, settings }: Transactions & { readonly settings: Pick<Settings, 'isolation'> },
): readonly Claim[] {
  const isTransaction = transactional && shellLine !== undefined;
  return claimsOf(verdict, { isTransaction, isStable: settings.isolation === 'stable' });
}

/** Whether `undo` could take back what the call changes in the workspace: what other servers write it can't. */
export function isReversible(
  { shellLine, category, kind }: Pick<Tool, 'shellLine' | 'category' | 'kind'>,
  { transactional }: Transactions,
): boolean {
  return transactional && (shellLine !== undefined || (category === 'system_write' && kind === 'builtin'));
}
