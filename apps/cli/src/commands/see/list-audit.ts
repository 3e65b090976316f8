import type { AuditLine } from '@signalbox/coordinator';
import * as z from 'zod';
import { type Filterable, fitsTerms, type RecordFilter } from '../../client/readers/record-filter.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { untilInterrupted } from '../../live/until-interrupted.ts';
import { printHowToBegin } from '../../client/report-source.ts';
import { auditFilesOf } from '../../runtime/audit-files.ts';
import { pause } from '../../client/pause.ts';
import { auditRow, auditView } from '../../views/audit-view.ts';
import { createAuditReader } from './create-audit-reader.ts';

const POLL_EVERY_MS = 200;

/** Arguments that name a file, whether or not it was touched in the end. */
const Called = z.object({ path: z.string() });

type Wanted = Readonly<{ limit: number; typed: RecordFilter | undefined }>;

/** `signalbox audit`: the last matching lines of the audit log. */
export async function listAudit({ limit, typed }: Wanted, context: Context): Promise<ExitCode> {
  const fits = fitting(typed);
  const entries = createAuditReader(context.directory, { limit, fits })().filter(fits).slice(-limit);
  if (entries.length === 0 && auditFilesOf(context.directory).length === 0) printHowToBegin(context);
  if (context.flags.json) for (const entry of entries) context.json(entry);
  else await context.page(auditView(entries, context.render()));
  return EXIT.ok;
}

/** The same, then each line as it is written, until Ctrl-C. */
export function followAudit({ limit, typed }: Wanted, context: Context): Promise<ExitCode> {
  const fits = fitting(typed);
  const read = createAuditReader(context.directory, { limit, fits });
  const tell = (entries: readonly AuditLine[]): void => {
    for (const entry of entries) {
      context.json(entry);
      context.print([auditRow(entry, context.render())]);
    }
  };
  return untilInterrupted(context, async (signal) => {
    tell(read().filter(fits).slice(-limit));
    while (!signal.aborted) {
      await pause(POLL_EVERY_MS, context.clock, signal);
      tell(read().filter(fits));
    }
  });
}

function fitting(typed: RecordFilter | undefined): (entry: AuditLine) => boolean {
  return (entry) => typed === undefined || fitsTerms(typed, filterableOf(entry));
}

function filterableOf({ provider, tool, call, result, level, files, ...entry }: AuditLine): Filterable {
  const wanted = Called.safeParse(call).data?.path;
  const texts = [entry.command_id, entry.rule, entry.approved_by, JSON.stringify(call)];
  return {
    provider,
    tool,
    outcome: result,
    states: [result],
    level,
    paths: [...files.map(({ path }) => path), ...(wanted === undefined ? [] : [wanted])],
    text: `${provider} ${tool} ${texts.filter((word) => word !== null).join(' ')}`,
  };
}
