import { gatedCallOf } from '@signalbox/coordinator';
import { type AdversarialDecision, type CommandRecord, shortId } from '@signalbox/core';
import { withRecords } from '../../../client/readers/with-records.ts';
import type { Context } from '../../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../../runtime/contract/exit-code.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { tableLines } from '../../../terminal/table.ts';
import { costText, type JudgeUsage, openJudge } from './open-judge.ts';

/** Commands that a replay asks about if it is not said how many: each is a request. */
const DEFAULT_COMMANDS = 20;
const MAX_COMMANDS = 10_000;

type Judged = Readonly<{ record: CommandRecord; decision: AdversarialDecision }>;

/**
 * `signalbox policy judge --replay 50`: asks the configured judge about the latest recorded calls that it would judge;
 * exit code 1 when it would have refused one. Runs nothing, and changes no record.
 */
export async function replayJudge(
  { replay = DEFAULT_COMMANDS }: { readonly replay?: number | undefined },
  context: Context,
): Promise<ExitCode> {
  const { judged, cost } = await withRecords(context, async ({ store }) => {
    const judge = await openJudge(context, { store });
    const { gate } = judge;
    const found: Judged[] = [];
    for (const record of await store.list({ limit: MAX_COMMANDS })) {
      if (found.length === replay) break;
      const call = gatedCallOf(record);
      if (call === null || !gate.applies(call)) continue;
      const { decision } = await gate.judge(call, new AbortController().signal);
      if (decision.gate === 'adversarial') found.push({ record, decision });
    }
    return { judged: found, cost: judge.cost() };
  });
  const refused = judged.filter(({ decision }) => decision.decision !== 'allow');
  context.json({ judged: judged.length, ...cost, refused: refused.map(toData) });
  await context.page([
    ...(refused.length === 0 ? [] : tableOf(refused, context)),
    summaryOf({ judged: judged.length, refused: refused.length }, cost),
  ]);
  return refused.length === 0 ? EXIT.ok : EXIT.failed;
}

function tableOf(refused: readonly Judged[], context: Context): readonly Line[] {
  return tableLines(
    [
      { title: 'ID' },
      { title: 'PROVIDER' },
      { title: 'COMMAND', gives: 'end' },
      { title: 'DECISION' },
      { title: 'WHY', gives: 'end' },
    ],
    refused.map(({ record, decision: { decision, reason } }) => [
      shortId(record.id),
      record.context.provider,
      as('bold', record.title),
      as(decision === 'deny' ? 'warn' : 'danger', decision),
      muted(reason),
    ]),
    context.render(),
  );
}

function summaryOf(
  { judged, refused }: { readonly judged: number; readonly refused: number },
  cost: JudgeUsage,
): Line {
  return line(
    refused === 0 ? as('ok', 'nothing would be refused') : as('warn', `${refused} would be refused`),
    muted(` · ${judged} calls judged · ${costText(cost)}`),
  );
}

function toData({ record: { id, title, context }, decision }: Judged) {
  return { command: { id, title, provider: context.provider }, decision };
}
