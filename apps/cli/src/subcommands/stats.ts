import type { CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withRecords } from '../frame/with-records.ts';
import { type StatsData, statsView } from '../views/stats-view.ts';

/** `signalbox stats --since 1h`: numbers by provider, over the kept history. */
export const stats = defineSubcommand({
  name: 'stats',
  args: z.object({ since: DurationArgument.optional() }),
  async run({ since }, context) {
    const from = since === undefined ? undefined : context.clock.now() - since;
    const data = await withRecords(context, async ({ monitor, store }): Promise<StatsData> => {
      const records = await store.list({ ...(from === undefined ? {} : { from }), limit: 1_000_000 });
      return {
        providers: await monitor.stats(from),
        approvals: approvalNumbers(records),
        busiestFile: busiestFile(records),
      };
    });
    context.answer({ json: () => data, lines: (look) => statsView(data, look) });
    return EXIT.ok;
  },
});

function approvalNumbers(records: readonly CommandRecord[]): StatsData['approvals'] {
  const approvals = records.flatMap(({ approval }) => (approval === null ? [] : [approval]));
  const answers = approvals
    .flatMap((one) => ('answeredAt' in one ? [one.answeredAt - one.requestedAt] : []))
    .toSorted((a, b) => a - b);
  const having = (status: string): number => approvals.filter((one) => one.status === status).length;
  return {
    granted: having('granted'),
    refused: having('refused'),
    expired: having('expired'),
    medianAnswerMs: answers[Math.floor(answers.length / 2)] ?? null,
  };
}

function busiestFile(records: readonly CommandRecord[]): StatsData['busiestFile'] {
  const changes = records.flatMap(({ result }) =>
    (result?.files ?? []).filter(({ kind }) => kind !== 'read'),
  );
  const [busiest] = [...Map.groupBy(changes, ({ path }) => path)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return busiest === undefined ? null : { path: busiest[0], changes: busiest[1].length };
}
