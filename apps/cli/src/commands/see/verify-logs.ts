import { basename, join } from 'node:path';
import { type AuditReport, type RecordedEnd, knownEnding, verifyAudits } from '@signalbox/coordinator';
import { allThat, UnavailableError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withRecordsIfAny } from '../../client/readers/with-records.ts';
import type { Records } from '../../runtime/contract/runtime.ts';
import { as, line } from '../../terminal/line.ts';
import { auditReportView } from '../../views/audit-view.ts';
import { auditFilesOf } from '../../runtime/audit-files.ts';

type Known = Readonly<{ endings: ReadonlyMap<string, RecordedEnd>; isComplete: boolean }>;

const NOTHING_KNOWN: Known = { endings: new Map(), isComplete: true };

/**
 * `signalbox audit verify`: checks that every line is unchanged, that none is missing, and that every recorded command
 * has one line that agrees with its record.
 *
 * @param head A hash stored elsewhere: the chain must contain it.
 */
export async function verifyLogs(context: Context, head: string | undefined): Promise<ExitCode> {
  const found = auditFilesOf(context.directory);
  // A removed log has no line for the recorded commands.
  const logs = found.length > 0 ? found : [join(context.directory, '.signalbox', 'audit.jsonl')];
  // The records first: a command that ends in between has its line, but no record yet that requires one.
  const known = await knownEndings(context);
  const reports = await verifyAudits(logs, { ...known, ...(head === undefined ? {} : { head }) });
  return printReports(
    reports.map((report, index) => ({ ...report, file: basename(logs[index] ?? '') })),
    context,
  );
}

/** Damaged records don't prevent checking the audit log, which is another file. */
async function knownEndings(context: Context): Promise<Known> {
  try {
    return await withRecordsIfAny(context, readEndings, async () => NOTHING_KNOWN);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    context.tell([line(as('warn', `Not compared with the records: ${error.message}`))]);
    return NOTHING_KNOWN;
  }
}

/** If several coordinators write logs, some may be on other machines. */
async function readEndings({ store, members }: Records): Promise<Known> {
  const endings = new Map<string, RecordedEnd>();
  for await (const record of allThat(store, { states: ['done'] })) {
    const ending = knownEnding(record);
    if (ending !== null) endings.set(record.id, ending);
  }
  return { endings, isComplete: (await members()) === null };
}

type FileReport = AuditReport & Readonly<{ file: string }>;

/** One coordinator writes one log; with several, each has its own chain. */
function printReports(reports: readonly FileReport[], context: Context): ExitCode {
  const [first] = reports;
  context.answer({
    json: () => (reports.length === 1 ? withoutFile(first) : { files: reports }),
    lines: () =>
      reports.flatMap((report) => [
        ...(reports.length === 1 ? [] : [line(as('bold', report.file))]),
        ...auditReportView(report),
      ]),
  });
  return reports.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.failed;
}

function withoutFile(report: FileReport | undefined): AuditReport | undefined {
  if (report === undefined) return undefined;
  const { file: _file, ...rest } = report;
  return rest;
}
