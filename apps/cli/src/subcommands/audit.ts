import { readFile } from 'node:fs/promises';
import { AuditLine, verifyAudit } from '@signalbox/coordinator';
import * as z from 'zod';
import { CountArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withRecords } from '../frame/with-records.ts';
import { auditReportView, auditView } from '../views/audit-view.ts';

const SHOWN_LINES = 20;

/** `signalbox audit`: the last lines of the permanent record; `verify` checks all of it. */
export const audit = defineSubcommand({
  name: 'audit',
  args: z.object({
    action: z.enum(['list', 'verify']).default('list'),
    limit: CountArgument.default(SHOWN_LINES),
  }),
  async run({ action, limit }, context) {
    const file = await withRecords(context, ({ auditFile }) => Promise.resolve(auditFile));
    if (action === 'verify') {
      const report = await verifyAudit(file);
      context.answer({ json: () => report, lines: () => auditReportView(report) });
      return report.problems.length === 0 ? EXIT.ok : EXIT.failed;
    }
    const entries = entriesOf(await readFile(file, 'utf8')).slice(-limit);
    if (context.flags.json) for (const entry of entries) context.json(entry);
    else context.print(auditView(entries, context.look()));
    return EXIT.ok;
  },
});

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
