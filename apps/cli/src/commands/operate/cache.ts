import type { ResultCacheView } from '@signalbox/api';
import * as z from 'zod';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { line, muted } from '../../terminal/line.ts';
import { duration, plural } from '../../terminal/render-context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

/** `signalbox cache clear`: forgets the results that are kept to be used again; without an argument counts them. */
export const cache = defineSubcommand({
  name: 'cache',
  args: z.object({ action: z.enum(['show', 'clear']).default('show') }),
  async run({ action }, context) {
    const what = action === 'clear' ? 'clear the result cache' : 'show the result cache';
    const state = await withCoordinator(context, { what, start: false }, (client) =>
      action === 'clear' ? client.clearResultCache() : client.getResultCache(),
    );
    const counted = countedText(state);
    context.answer({
      json: () => (action === 'clear' ? { cleared: state } : state),
      lines: () => [
        action === 'clear' ? line(`Forgotten: ${counted}`) : line(counted, muted(rulesText(state))),
      ],
    });
    return EXIT.ok;
  },
});

function countedText({ runs, reads }: ResultCacheView): string {
  return `${plural(runs, 'result')} of tests and builds, ${plural(reads, 'answer')} of reading tools`;
}

function rulesText({ enabled, ttlSecs }: ResultCacheView): string {
  if (!enabled) return ' · off by tools.result_cache.enabled';
  return ttlSecs === 0
    ? ' · kept until files change'
    : ` · kept for ${duration(ttlSecs * 1000)} unless files change`;
}
