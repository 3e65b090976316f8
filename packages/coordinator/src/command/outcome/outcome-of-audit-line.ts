import { type Failure, Outcome } from '@signalbox/core';
import type { AuditLine } from '../../audit/audit-line.ts';
import { lost } from './outcome-of.ts';

/** The outcome of a command of which a crash left only the audit line. */
export function outcomeOfAuditLine(line: AuditLine): Outcome {
  if (line.result === 'completed') return { kind: 'completed' };
  const failure: Failure = {
    code: line.error_code ?? 'unknown',
    category: line.error_category ?? 'PermanentFailure',
    message: line.error_detail ?? 'the audit log does not say why',
    visibility: line.error_code === 'internal' ? 'hidden' : 'visible',
  };
  const outcome = Outcome.safeParse({ kind: line.result, failure });
  return outcome.data ?? lost(`the audit log says ${JSON.stringify(line.result)}`);
}
