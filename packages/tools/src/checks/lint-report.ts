import type { CheckReport } from '@signalbox/core';
import { createFindings, type RawFinding } from './findings.ts';

type Severity = 'error' | 'warning' | 'note';
export type ReportedFinding = RawFinding & { readonly severity: Severity };

/** Notes explain other findings and are not counted. */
export function lintReport(source: string, found: readonly ReportedFinding[]): CheckReport {
  const findings = createFindings();
  const of = (severity: Severity): readonly ReportedFinding[] =>
    found.filter((one) => one.severity === severity);
  const [errors, warnings] = [of('error'), of('warning')];
  for (const one of [...errors, ...warnings]) findings.add(one);
  return {
    kind: 'findings',
    source,
    first: findings.first,
    errors: errors.length,
    warnings: warnings.length,
  };
}

export function severityOf(word: string | null | undefined): Severity {
  const lower = word?.toLowerCase() ?? 'error';
  if (/^(?:warn|advice|deprecat)/.test(lower)) return 'warning';
  return /^(?:note|help|hint|info|none|unknown)/.test(lower) ? 'note' : 'error';
}
