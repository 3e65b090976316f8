import { gatedCallOf } from '@signalbox/coordinator';
import {
  type AdversarialDecision,
  type CommandRecord,
  createRedactor,
  type NewEvent,
  type Settings,
  shortId,
  silentLogger,
  UsageError,
} from '@signalbox/core';
import { withRecords } from '../../client/readers/with-records.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { openGates } from '../../runtime/open-gates.ts';
import { keysOf } from '../../runtime/settings/keys-of.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { money } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';

/** Commands that a replay asks about if it is not said how many: each is a request. */
const DEFAULT_COMMANDS = 20;
const MAX_COMMANDS = 10_000;

type Judged = Readonly<{ record: CommandRecord; decision: AdversarialDecision }>;
type Cost = Readonly<{ requests: number; costUsd: number | null }>;

/**
 * `signalbox policy judge --replay 50`: asks the configured judge about the latest recorded calls that it would judge;
 * exit code 1 when it would have refused one. Runs nothing, and changes no record.
 */
export async function replayJudge(
  { replay = DEFAULT_COMMANDS }: { readonly replay?: number | undefined },
  context: Context,
): Promise<ExitCode> {
  const { settings: loaded } = await loadSettings(context);
  const settings = switchedOn(loaded);
  const requests: (NewEvent & { type: 'model_request_ended' })[] = [];
  const judged = await withRecords(context, async ({ store }) => {
    const gate = openGates({
      store,
      // The cost is printed; events belong to the coordinator.
      events: {
        append: async (events: readonly NewEvent[]) => {
          for (const event of events) if (event.type === 'model_request_ended') requests.push(event);
          return [];
        },
      },
      settings: () => settings,
      apiKeys: context.env,
      clock: context.clock,
      redactor: createRedactor({ secrets: keysOf(settings, context.env) }),
      logger: silentLogger,
    }).find(({ name }) => name === 'adversarial');
    const found: Judged[] = [];
    for (const record of await store.list({ limit: MAX_COMMANDS })) {
      if (found.length === replay) break;
      const call = gatedCallOf(record);
      if (gate === undefined || call === null || !gate.applies(call)) continue;
      const { decision } = await gate.judge(call, new AbortController().signal);
      if (decision.gate === 'adversarial') found.push({ record, decision });
    }
    return found;
  });
  const refused = judged.filter(({ decision }) => decision.decision !== 'allow');
  const cost = costOf(requests);
  context.json({ judged: judged.length, ...cost, refused: refused.map(toData) });
  await context.page([
    ...(refused.length === 0 ? [] : tableOf(refused, context)),
    summaryOf({ judged: judged.length, refused: refused.length }, cost),
  ]);
  return refused.length === 0 ? EXIT.ok : EXIT.failed;
}

/** As if the gate were on, so that it can be tried before. */
function switchedOn(settings: Settings): Settings {
  const { adversarial_policy } = settings.tools;
  if (adversarial_policy.policies.length === 0 || adversarial_policy.policy_provider === '') {
    throw new UsageError('usage', 'Cannot ask a judge: the settings name no provider or no policies', {
      why: ['tools.adversarial_policy.policy_provider and tools.adversarial_policy.policies'],
      next: ['signalbox config edit', 'signalbox config get tools.adversarial_policy'],
    });
  }
  return {
    ...settings,
    tools: { ...settings.tools, adversarial_policy: { ...adversarial_policy, enabled: true } },
  };
}

function costOf(requests: readonly (NewEvent & { type: 'model_request_ended' })[]): Cost {
  const known = requests.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  const costUsd = known.length < requests.length ? null : known.reduce((sum, one) => sum + one, 0);
  return { requests: requests.length, costUsd };
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
  { requests, costUsd }: Cost,
): Line {
  const cost = costUsd === null ? 'cost unknown: the provider has no prices' : money(costUsd);
  return line(
    refused === 0 ? as('ok', 'nothing would be refused') : as('warn', `${refused} would be refused`),
    muted(` · ${judged} calls judged · ${requests} requests · ${cost}`),
  );
}

function toData({ record: { id, title, context }, decision }: Judged) {
  return { command: { id, title, provider: context.provider }, decision };
}
