import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { followAudit, listAudit } from './list-audit.ts';
import { verifyLogs } from './verify-logs.ts';
import { FilterArgument } from '../../client/readers/record-filter.ts';
import { CountArgument } from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

const SHOWN_LINES = 20;

/** A line's hash, as `verify` prints the last one. */
const HashArgument = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, { error: 'must be a hash of 64 hexadecimal digits, as audit verify prints it' })
  .transform((text) => text.toLowerCase());

/** `signalbox audit`: the last lines of the audit log; `verify` checks all of it. */
export const audit = defineSubcommand({
  name: 'audit',
  args: z.object({
    action: z.enum(['list', 'verify']).default('list'),
    filter: FilterArgument.optional(),
    limit: CountArgument.optional(),
    follow: z.boolean().default(false),
    head: HashArgument.optional(),
  }),
  run({ action, filter: typed, limit = SHOWN_LINES, follow, head }, context) {
    if (action === 'list' && head !== undefined)
      throw new UsageError('usage', 'Cannot list the log by hash: --head is for verify', {
        next: [`signalbox audit verify --head ${head}`],
      });
    if (action === 'list') return (follow ? followAudit : listAudit)({ limit, typed }, context);
    if (!follow && typed === undefined) return verifyLogs(context, head);
    throw new UsageError('usage', 'Cannot verify part of the log: its lines are chained', {
      next: ['signalbox audit verify'],
    });
  },
});
