import { type AgreedHosts, agreedPatterns, type CommandRecord, profileOf } from '@signalbox/core';
import type { QuestionStats, RuleSuggestion } from '../coordinator-api.ts';

const MAX_REASONS = 20;
const MAX_REASON = 120;
/** With fewer there is no pattern. */
const LEAST_SAVED = 2;

/** Rules that a further user rule would have overridden. */
const LIFTED: ReadonlySet<string> = new Set(['warning-asks', 'unknown-program-asks', 'tool-asks']);

/** Why commands needed approval, and the outcomes; most frequent first. */
export function questionStatsOf(records: readonly CommandRecord[]): readonly QuestionStats[] {
  const groups = Map.groupBy(askedOf(records), (record) => `${record.ruling?.rule} ${reasonOf(record)}`);
  return [...groups.values()]
    .map((of) => {
      const [first] = of;
      const having = (status: string): number =>
        of.filter(({ approval }) => approval?.status === status).length;
      return {
        rule: first?.ruling?.rule ?? '',
        reason: first === undefined ? '' : reasonOf(first),
        asked: of.length,
        approved: having('granted'),
        denied: having('refused'),
        expired: having('expired'),
        cancelled: of.filter(isCancelled).length,
      };
    })
    .toSorted((one, other) => other.asked - one.asked)
    .slice(0, MAX_REASONS);
}

/**
 * The one permanent answer that would have avoided the most approvals: a list of hosts, or a rule for one line. Null if
 * none would have avoided two.
 *
 * @param agreed hosts that people agreed to since
 */
export function remedyOf(records: readonly CommandRecord[], agreed: AgreedHosts): RuleSuggestion | null {
  const asked = askedOf(records);
  const liftable = asked.filter(({ ruling }) => ruling !== null && LIFTED.has(ruling.rule));
  const byProfile = (['packages', 'remotes'] as const).map((profile) => {
    const of = liftable.filter((record) => isAnsweredBy(record, profile, agreed));
    return {
      kind: 'network' as const,
      profile,
      saves: of.length,
      asked: asked.length,
      example: mostOften(of),
    };
  });
  const known = new Set(liftable.filter((record) => !namesHosts(record)));
  const [line, same] =
    [...Map.groupBy(known, lineOf)]
      .filter(([text]) => text !== '')
      .toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const byRule = { kind: 'rule' as const, line: line ?? '', saves: same?.length ?? 0, asked: asked.length };
  const [best] = [...byProfile, byRule].toSorted((one, other) => other.saves - one.saves);
  return best === undefined || best.saves < LEAST_SAVED ? null : best;
}

/** The approval was closed with its command before it was answered. */
export function isCancelled({ approval, state }: CommandRecord): boolean {
  return approval?.status === 'pending' && state === 'done';
}

function askedOf(records: readonly CommandRecord[]): readonly CommandRecord[] {
  return records.filter(({ approval, ruling }) => approval !== null && ruling !== null);
}

/** Without the parts that vary between calls: `deletes recursively: dist`. */
function reasonOf({ verdict, ruling }: CommandRecord): string {
  const text = verdict?.reasons[0]?.text ?? ruling?.reason ?? '';
  return text.replace(/: .*$/s, '').slice(0, MAX_REASON);
}

function isAnsweredBy(record: CommandRecord, profile: 'packages' | 'remotes', agreed: AgreedHosts): boolean {
  const effects = (record.verdict?.effects ?? []).filter((effect) => effect.kind === 'network');
  const open = effects.filter((effect) => agreedPatterns(effect, agreed).length === 0);
  return (
    open.length > 0 &&
    open.every(
      ({ host, source }) => host !== undefined && source !== undefined && profileOf(source) === profile,
    )
  );
}

function namesHosts({ verdict }: CommandRecord): boolean {
  return verdict?.effects.some(({ kind }) => kind === 'network') === true;
}

/** From the title, which contains no secret; empty for other tools, and if it is truncated. */
function lineOf({ call, title }: CommandRecord): string {
  const start = `${call.tool} `;
  const isWhole =
    typeof call.args['line'] === 'string' && title.startsWith(start) && !/…$|\[redacted:/.test(title);
  return isWhole ? title.slice(start.length) : '';
}

function mostOften(records: readonly CommandRecord[]): string {
  const [top] = [...Map.groupBy(records, lineOf)].toSorted(([, one], [, other]) => other.length - one.length);
  return top?.[0] ?? '';
}
