import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AuditLine, type AuditReport, verifyAudit } from '@signalbox/coordinator';
import { UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { withRecords } from '../frame/with-records.ts';
import { auditFilesOf } from '../place/audit-files.ts';
import { as, line } from '../screen/line.ts';
import { auditReportView, auditView } from '../views/audit-view.ts';

const SHOWN_LINES = 20;
/** More than any history keeps. */
const MOST_COMMANDS = 1_000_000;

/** `signalbox audit`: the last lines of the permanent record; `verify` checks all of it. */
export const audit = defineSubcommand({
  name: 'audit',
  args: z.object({
    action: z.enum(['list', 'verify']).default('list'),
    limit: CountArgument.default(SHOWN_LINES),
  }),
  async run({ action, limit }, context) {
    const files = auditFilesOf(context.directory);
    // Refuses where nothing ever happened.
    if (files.length === 0) await withRecords(context, () => Promise.resolve());
    if (action === 'verify') {
      const ended = await endedCommands(context);
      const reports = await Promise.all(
        files.map(async (file) => ({ ...(await verifyAudit(file, ended)), file: basename(file) })),
      );
      return tellReports(reports, context);
    }
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const entries = texts
      .flatMap(entriesOf)
      .toSorted((one, other) => (one.ts < other.ts ? -1 : Number(one.ts > other.ts)))
      .slice(-limit);
    if (context.flags.json) for (const entry of entries) context.json(entry);
    else context.print(auditView(entries, context.look()));
    return EXIT.ok;
  },
});

/**
 * The commands whose end the records tell; none where several coordinators write files, perhaps elsewhere. Damaged
 * records are no reason not to look at the audit log, which is another file.
 */
async function endedCommands(context: Context): Promise<readonly string[]> {
  try {
    return await withRecords(context, async ({ store, members }) =>
      (await members()) === null
        ? (await store.list({ states: ['done'], limit: MOST_COMMANDS })).map(({ id }) => id)
        : [],
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

/** Lines that a crash cut off are left to `verify`. */
function entriesOf(text: string): readonly AuditLine[] {
  return text.split('\n').flatMap((row) => {
    try {
      const parsed = AuditLine.safeParse(JSON.parse(row));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
