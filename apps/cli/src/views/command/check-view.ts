import {
  type Claim,
  describeClaim,
  type Failure,
  type Mode,
  type ProviderId,
  type Ruling,
  type Trust,
  type Verdict,
  writesUnknown,
} from '@signalbox/core';
import { reasonsUnder, whyRuled } from '@signalbox/api';
import { wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { nextForPerson } from './next-for-person.ts';
import { rulingText } from './ruling-text.ts';
import { judgedLine, reasonLines } from './verdict-view.ts';

export type CheckResult = Readonly<{
  line: string;
  verdict: Verdict;
  ruling: Ruling;
  claims: readonly Claim[];
  mode: Mode;
  trust: Trust;
}>;

const RULING_ROLE: Readonly<Record<Ruling['kind'], TextRole>> = { allow: 'ok', ask: 'asks', deny: 'danger' };

/** What would happen to a shell line: `signalbox check`. */
export function checkView(
  judged: CheckResult & { readonly failure: Failure | null; readonly provider: ProviderId },
  render: RenderContext,
): readonly Line[] {
  const { ruling, verdict, mode, trust, failure, provider } = judged;
  const shown = { ...verdict, reasons: reasonsUnder(ruling, verdict) };
  const next = failure === null ? undefined : nextForPerson(failure);
  const [role, text] = failure === null ? [RULING_ROLE[ruling.kind], rulingText(ruling)] : [FAILS, 'fails'];
  return [
    line(as(role, text), ' · ', as(verdict.level, verdict.level)),
    ...judgedLine(judged.line, shown, { render }),
    ...reasonLines(shown, '  ', render),
    ...labelled('Claims', claimsText(judged), render),
    ...labelled('Rule', `${ruling.rule} (${ruling.source}) · mode ${mode} · trust ${trust}`, render),
    ...labelled('Why', whyRuled(ruling), render),
    ...(failure === null ? [] : labelled('Fails', failure.message, render)),
    ...(next === undefined ? [] : labelled('Next', next, render)),
    line(muted(closingOf(failure === null ? ruling.kind : 'fails', provider))),
  ];
}

const FAILS: TextRole = 'danger';
type Expected = Ruling['kind'] | 'fails';

/** What would happen if this line is sent: by the user's `signalbox exec`, or by a provider. */
export function closingOf(expected: Expected, provider: ProviderId): string {
  const closing = provider === 'you' ? FOR_YOU : FOR_PROVIDER;
  return `Nothing was run. ${closing[expected]}.`;
}

const FOR_YOU: Readonly<Record<Expected, string>> = {
  allow: 'signalbox exec runs it without approval',
  ask: 'signalbox exec asks you first',
  deny: 'signalbox exec denies it',
  fails: 'signalbox exec fails at once, without approval',
};

const FOR_PROVIDER: Readonly<Record<Expected, string>> = {
  allow: 'For a provider it runs without approval',
  ask: 'For a provider it needs approval',
  deny: 'For a provider it is denied',
  fails: 'For a provider it fails at once, without approval',
};

export function claimsText({ claims, verdict }: Pick<CheckResult, 'claims' | 'verdict'>): string {
  const known = claims.map(describeClaim).join(', ');
  if (!writesUnknown(verdict)) return known === '' ? 'nothing' : known;
  const rest = 'its writes are unknown until it runs';
  return known === '' ? rest : `${known} · ${rest}`;
}

function labelled(label: string, text: string, render: RenderContext): readonly Line[] {
  return wrap(text, Math.max(10, render.width - 10)).map((row, i) =>
    line('  ', muted((i === 0 ? label : '').padEnd(8)), row),
  );
}
