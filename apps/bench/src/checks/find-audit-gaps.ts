import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { chainOf, verifyAudit } from '@signalbox/coordinator';
import type { Trace } from '../evidence/trace.ts';
import type { Violation } from './invariant.ts';

export type AuditFacts = Readonly<{ lines: number; violations: readonly Violation[] }>;

/** Errors of the hash chain in these files, and commands whose line is missing or has another result. */
export async function findAuditGaps(files: readonly string[], traces: readonly Trace[]): Promise<AuditFacts> {
  const violations: Violation[] = [];
  const results = new Map<string, string>();
  let lines = 0;
  for (const file of files) {
    const report = await verifyAudit(file);
    lines += report.lines;
    for (const { message } of report.problems) violations.push({ says: message, keys: [] });
    for (const part of chainOf(file))
      for await (const text of createInterface({ input: createReadStream(part, 'utf8') }))
        noteLine(text, results);
  }
  for (const { key, answers } of traces) {
    for (const { commandId, outcome } of answers) {
      const audited = results.get(commandId);
      if (audited === outcome || outcome === 'unsent') continue;
      const found = audited === undefined ? 'no line' : `a line that says ${audited}`;
      violations.push({ says: `#${key} ended ${outcome}, and the audit log has ${found}`, keys: [key] });
    }
  }
  return { lines, violations };
}

/** A line that was cut off by a kill is an error of the chain. */
function noteLine(text: string, results: Map<string, string>): void {
  try {
    const { command_id: id, result } = JSON.parse(text) as { command_id: string; result: string };
    results.set(id, result);
  } catch {
    return;
  }
}
