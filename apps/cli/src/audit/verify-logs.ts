import { basename, join } from 'node:path';
import { type AuditReport, verifyAudit } from '@signalbox/coordinator';
import { UnavailableError } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { withRecordsIfAny } from '../frame/with-records.ts';
import { as, line } from '../screen/line.ts';
import { auditReportView } from '../views/audit-view.ts';
import { auditFilesOf } from '../place/audit-files.ts';

/** More than any history keeps. */
const MOST_COMMANDS = 1_000_000;

/** `signalbox audit verify`: every line unchanged, none missing, one for every command that the records know. */
export async function verifyLogs(context: Context): Promise<ExitCode> {
  const found = auditFilesOf(context.directory);
  // One that is gone has no line of what the records know.
  const files = found.length > 0 ? found : [join(context.directory, '.signalbox', 'audit.jsonl')];
  const ended = await endedCommands(context);
  const reports = await Promise.all(
    files.map(async (file) => ({ ...(await verifyAudit(file, ended)), file: basename(file) })),
  );
  return tellReports(reports, context);
}

/**
 * The commands whose end the records tell; none where several coordinators write files, perhaps elsewhere. Damaged
 * records are no reason not to look at the audit log, which is another file.
 */
async function endedCommands(context: Context): Promise<readonly string[]> {
  try {
    return await withRecordsIfAny(
      context,
      async ({ store, members }) =>
        (await members()) === null
          ? (await store.list({ states: ['done'], limit: MOST_COMMANDS })).map(({ id }) => id)
          : [],
      async () => [],
    );
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    context.tell([line(as('warn', `Not compared with the records: ${error.message}`))]);
    return [];
  }
}

type FileReport = AuditReport & Readonly<{ file: string }>;

/** One coordinator writes one file; of several, each has its own chain. */
function tellReports(reports: readonly FileReport[], context: Context): ExitCode {
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
