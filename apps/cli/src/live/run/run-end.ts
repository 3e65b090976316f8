import type { RunView } from '@signalbox/api';
import { loadReview } from '@signalbox/coordinator';
import { type Event, type Settings, UnavailableError } from '@signalbox/core';
import type { CoordinatorClient } from '../../client/coordinator-client.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { fromReader } from '../from-reader.ts';
import { reviewAfterRun } from '../review-after-run.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { providerHints } from '../../views/provider-hints.ts';
import { summaryHead, summaryTable, summaryTail } from './summary-view.ts';
import { recordsOf } from './show-run.ts';
import { changedPaths, type RunSummary, summarise } from './run-summary.ts';

const UNREACHABLE: ReadonlySet<string> = new Set(['NetworkError', 'Timeout', 'ServerError']);

/** Reports the result of a run, and opens the review of its changes. */
export async function reportRunEnd(
  run: RunView,
  events: readonly Event[],
  {
    reader,
    client,
    settings,
    context,
  }: Readonly<{ reader: Reader; client: CoordinatorClient; settings: Settings; context: Context }>,
): Promise<ExitCode> {
  const ended = events.find((event) => event.type === 'run_ended');
  const records = await recordsOf(run, reader).catch((error: unknown) => {
    if (!(error instanceof UnavailableError)) throw error;
    // The coordinator ended with the run.
    return withReader(context, (stored) => recordsOf(run, stored));
  });
  const summary = summarise({
    records,
    events,
    startedAt: run.startedAt,
    endedAt: ended?.at ?? context.clock.now(),
    until: ended?.until ?? null,
    checks: events.flatMap((event) => (event.type === 'run_checked' ? [event] : [])),
    // By the last commit: no provider decides what is left out.
    ignored: await fromReader(reader, context).ignoredInHead(changedPaths(records)),
  });
  context.json({ event: 'run.ended', summary });
  context.say([summaryHead(summary)]);
  context.print(summaryTable(summary, context.render()));
  context.say([...providerHints(events, settings.providers), ...summaryTail(summary)]);
  if (ended?.stoppedBy == null) {
    await reviewAfterRun(
      {
        load: () => loadReview(fromReader(reader, context), new Set(run.sessions)),
        client,
      },
      context,
    );
  }
  const ends = events.flatMap((event) => (event.type === 'session_ended' ? [event] : []));
  return nobodyAnswered(events, ends) ? EXIT.unavailable : exitCodeOf(summary, ends);
}

/** 0 if `--until` passed (without it: if every session finished), else the most severe reason. */
function exitCodeOf(summary: RunSummary, ends: readonly Readonly<{ finish: string }>[]): ExitCode {
  if (summary.lost.length > 0) return EXIT.lost;
  const finishes = ends.map(({ finish }) => finish);
  if (summary.until?.passed === true) return EXIT.ok;
  if (finishes.includes('budget')) return EXIT.limit;
  if (summary.until === null && finishes.every((finish) => finish === 'finished')) return EXIT.ok;
  if (summary.approvals.expired > 0) return EXIT.needsApproval;
  return EXIT.failed;
}

/** Whether no provider took a turn because none could be reached, and not because of its settings. */
function nobodyAnswered(
  events: readonly Event[],
  ends: readonly Readonly<{ finish: string; turns: number }>[],
): boolean {
  const failed = events.flatMap((event) => (event.type === 'turn_failed' ? [event.kind] : []));
  return (
    ends.length > 0 &&
    ends.every(({ finish, turns }) => finish === 'failed' && turns === 0) &&
    failed.every((kind) => UNREACHABLE.has(kind))
  );
}
