import { existsSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';
import { closingLines } from './closing-lines.ts';
import { runDemo } from './run-demo.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { REDIS_URL, type RedisAddress } from '../../runtime/workspace/redis-address.ts';
import { summarise } from '../../live/run/run-summary.ts';
import { BLANK } from '../../terminal/line.ts';
import { summaryTable } from '../../live/run/summary-view.ts';

/** A checkout's folder with `signalbox`; a package has none. */
const BIN = CHECKOUT === null ? null : join(CHECKOUT, 'bin');

/** `signalbox demo`: a real coordinator and three scripted providers; exit 0 if every scene really happened. */
export const demo = defineSubcommand({
  name: 'demo',
  args: z.object({
    fast: z.boolean().default(false),
    keep: z.boolean().default(true),
    backend: z.enum(['embedded', 'redis']).optional(),
    redis: z.string().min(1).optional(),
    volatile: z.boolean().default(false),
  }),
  async run({ fast, keep, backend, redis: url, volatile }, context) {
    const redis = addressOf({ backend, url, volatile }, context.env);
    const stopping = new AbortController();
    let interrupted: number | null = null;
    const unlisten = context.interrupts.listen((_count, signal) => {
      interrupted = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
      stopping.abort();
    });
    try {
      // Output to a pipe needs no pauses.
      const report = await runDemo({ redis, fast: fast || !context.terminal.live, stopping }, context);
      const summary = summarise({
        records: report.records,
        events: report.events,
        startedAt: report.events[0]?.at ?? 0,
        endedAt: report.events.at(-1)?.at ?? 0,
        until: null,
        checks: [],
      });
      context.json({
        event: 'run.ended',
        summary: { ...report.summary, providers: summary.providers, complete: report.complete },
      });
      if (!report.complete && interrupted !== null) return interrupted;
      // The folder was created only for this demo.
      if (!keep) rmSync(dirname(report.workspace), { recursive: true, force: true });
      const kept = keep
        ? { missingFolder: folderToAdd(context.env['PATH']), onRedis: redis !== undefined }
        : null;
      const closing = closingLines(report, kept);
      context.print([BLANK, ...summaryTable(summary, context.render()), BLANK, ...closing]);
      return report.complete ? EXIT.ok : EXIT.failed;
    } finally {
      unlisten();
    }
  },
});

/** @throws {UsageError} `no-redis-url` if Redis is requested without an address */
function addressOf(
  given: {
    readonly backend?: string | undefined;
    readonly url?: string | undefined;
    readonly volatile: boolean;
  },
  env: Context['env'],
): RedisAddress | undefined {
  const { backend = given.url === undefined ? 'embedded' : 'redis', volatile } = given;
  if (backend === 'embedded') return undefined;
  const url = given.url ?? env[REDIS_URL] ?? '';
  if (url !== '') return { url, volatile };
  throw new UsageError('no-redis-url', 'Cannot play the demo on Redis: no address is given', {
    next: ['signalbox demo --redis URL', `or export ${REDIS_URL}=redis://…`],
  });
}

/**
 * The folder to add to PATH so that `signalbox` can be typed as the demo writes it; null if it already can, or there is
 * no such folder.
 */
export function folderToAdd(searchPath: string | undefined, bin: string | null = BIN): string | null {
  if (bin === null) return null;
  const found = (searchPath ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'signalbox')));
  return !found && existsSync(join(bin, 'signalbox')) ? bin : null;
}
