import type { UserRule } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import type { TextRole } from '../../terminal/line.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { dateAndTime } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { ruleText } from '../../runtime/rules/rule-text.ts';
import { rulesOfSessions } from './rules-of-sessions.ts';

const MAX_RULES = 100_000;
const ROLE: Readonly<Record<UserRule['ruling'], TextRole>> = { allow: 'ok', ask: 'asks', deny: 'danger' };

type Row = Readonly<{ rule: UserRule; hits: number; lastHitAt: number | null }>;

/** `signalbox rules --unused 30d`: your rules, and how often each decided. */
export async function listRules(
  { unusedMs }: { readonly unusedMs: number | undefined },
  context: Context,
): Promise<ExitCode> {
  const { settings } = await loadSettings(context);
  const now = context.clock.now();
  const decided = await decidedBy(context);
  const rules = [...settings.rules, ...(await rulesOfSessions(context))];
  const rows = rules
    .map((rule): Row => {
      const at = decided.get(rule.id) ?? [];
      return { rule, hits: at.length, lastHitAt: at.length === 0 ? null : Math.max(...at) };
    })
    .filter(({ lastHitAt }) => unusedMs === undefined || lastHitAt === null || lastHitAt < now - unusedMs);
  context.answer({
    json: () => ({ rules: rows.map(toData) }),
    lines: (render) =>
      rows.length === 0
        ? [line(muted(rules.length === 0 ? 'No rules of your own. signalbox rules add -- LINE' : 'None.'))]
        : tableLines(
            [
              { title: 'RULE' },
              { title: 'SAYS' },
              { title: 'OF', gives: 'end' },
              { title: 'FROM' },
              { title: 'HITS', align: 'right' },
              { title: 'ENDS' },
            ],
            rows.map(({ rule, hits }) => [
              as('bold', rule.id),
              as(ROLE[rule.ruling], rule.approvers > 1 ? `${rule.ruling} ${rule.approvers}` : rule.ruling),
              ruleText(rule),
              muted(rule.source),
              String(hits),
              endText(rule, now, (at) => dateAndTime(at, render)),
            ]),
            render,
          ),
  });
  return EXIT.ok;
}

function endText(rule: UserRule, now: number, show: (at: number) => string) {
  if (!rule.isTrusted) return as('warn', 'not trusted');
  if (rule.endsAt === null) return muted(rule.layer === 'session' ? 'with it' : '–');
  return rule.endsAt <= now ? as('warn', 'ended') : show(rule.endsAt);
}

function toData({ rule, hits, lastHitAt }: Row): unknown {
  const { id, ruling, approvers, match, source, list, layer, because, endsAt, isTrusted } = rule;
  const shown = { id, ruling, approvers, match, source, list, layer, because };
  return { ...shown, ends: endsAt, trusted: isTrusted, hits, lastHitAt };
}

/** When each rule decided a recorded command, by its id. */
async function decidedBy({ entry, directory }: Context): Promise<ReadonlyMap<string, readonly number[]>> {
  const records = await entry.openRecords({ workspace: directory });
  try {
    const commands = (await records?.store.list({ limit: MAX_RULES })) ?? [];
    const decided = new Map<string, number[]>();
    for (const { ruling, submittedAt } of commands) {
      if (ruling === null || ruling.source === 'built in') continue;
      decided.set(ruling.rule, [...(decided.get(ruling.rule) ?? []), submittedAt]);
    }
    return decided;
  } finally {
    await records?.close();
  }
}
