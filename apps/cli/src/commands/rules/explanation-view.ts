import { reasonsUnder, whyRuled } from '@signalbox/api';
import type { ProposedRule, Question, RuleStep } from '@signalbox/policy';
import type { Failure, Ruling } from '@signalbox/core';
import { wrap } from '../../terminal/cells.ts';
import { as, BLANK, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';
import { wrapLine } from '../../terminal/wrap-line.ts';
import { ruleYaml } from '../../runtime/rules/rule-yaml.ts';
import { closingOf } from '../../views/command/check-view.ts';
import { nextForPerson } from '../../views/command/next-for-person.ts';
import { rulingText, verbOf } from '../../views/command/ruling-text.ts';
import { judgedLine, reasonLines } from '../../views/command/verdict-view.ts';

export type ExplanationData = Readonly<{
  title: string;
  question: Question;
  ruling: Ruling;
  rules: readonly RuleStep[];
  changes: readonly string[];
  proposal: ProposedRule | null;
  /** Why it would fail at once, without an approval. */
  failure: Failure | null;
}>;

const RULING_ROLE: Readonly<Record<Ruling['kind'], TextRole>> = { allow: 'ok', ask: 'asks', deny: 'danger' };

/** Why a call gets its ruling: the rule and its position, other matching rules, and what would change it. */
export function explanationView(
  explained: ExplanationData,
  trace: boolean,
  render: RenderContext,
): readonly Line[] {
  const { title, question, ruling, rules, changes, proposal, failure } = explained;
  const next = failure === null ? undefined : nextForPerson(failure);
  const { verdict, mode, context } = question;
  const shown = { ...verdict, reasons: reasonsUnder(ruling, verdict) };
  const others = rules.filter(({ hit, decides }) => hit !== 'no' && !decides);
  const decider = rules.find(({ decides }) => decides);
  return [
    ...wrapLine(
      line(
        failure === null ? as(RULING_ROLE[ruling.kind], rulingText(ruling)) : as('danger', 'fails'),
        ' · ',
        as(verdict.level, verdict.level),
      ),
      render.width,
    ),
    ...(typeof question.line === 'string'
      ? judgedLine(question.line, shown, { render })
      : [line('  ', as('bold', title))]),
    ...reasonLines(shown, '  ', render),
    ...labelled('Rule', `${ruling.rule} (${ruling.source}) · mode ${mode} · trust ${context.trust}`, render),
    ...labelled('Layer', LAYERS[decider?.layer ?? 'built in'], render),
    ...labelled('Why', whyRuled(ruling), render),
    ...(failure === null ? [] : labelled('Fails', failure.message, render)),
    ...(next === undefined ? [] : labelled('Next', next, render)),
    ...(trace ? [] : labelledList('Also', others.map(otherText), render)),
    ...labelledList('Change', changes, render),
    ...(proposal === null ? [] : proposalLines(proposal)),
    ...(trace ? [BLANK, ...traceLines(rules, render)] : []),
    line(muted(failure === null ? 'Nothing was run.' : closingOf('fails', context.provider))),
  ];
}

const LAYERS: Readonly<Record<RuleStep['layer'], string>> = {
  'built in': 'built in, in every workspace',
  user: 'your own file, in every workspace',
  workspace: 'the shared file of this workspace',
  local: 'your own file in this workspace',
  session: 'this session, until it ends',
};

function otherText({ rule, source, ruling, approvers, hit }: RuleStep): string {
  return `${verbOf(ruling, approvers)} ${rule} (${source})${hit === 'maybe' ? ', may vary' : ''}`;
}

/** The narrowest rule that would let it run, to paste into a file of one's own. */
function proposalLines(proposal: ProposedRule): readonly Line[] {
  return [
    line('  ', muted('This rule in .signalbox/local.yaml would allow the same call:')),
    ...ruleYaml([proposal])
      .trimEnd()
      .split('\n')
      .map((row) => line('    ', row)),
  ];
}

const HITS: Readonly<Record<RuleStep['hit'], string>> = { yes: 'yes', maybe: 'maybe', no: '–' };

function traceLines(rules: readonly RuleStep[], render: RenderContext): readonly Line[] {
  return tableLines(
    [
      { title: 'RULE' },
      { title: 'RULING' },
      { title: 'HIT' },
      { title: 'FROM' },
      { title: 'SAYS', gives: 'rows' },
    ],
    rules.map(({ rule, ruling, approvers, hit, source, says, decides }) => [
      decides ? as('bold', rule) : rule,
      as(RULING_ROLE[ruling], verbOf(ruling, approvers)),
      decides ? as('bold', 'decides') : hit === 'no' ? muted(HITS.no) : HITS[hit],
      muted(source),
      muted(says),
    ]),
    render,
  );
}

function labelledList(label: string, texts: readonly string[], render: RenderContext): readonly Line[] {
  return texts.flatMap((text, at) => labelled(at === 0 ? label : '', text, render));
}

function labelled(label: string, text: string, render: RenderContext): readonly Line[] {
  return wrap(text, Math.max(10, render.width - 10)).map((row, i) =>
    line('  ', muted((i === 0 ? label : '').padEnd(8)), row),
  );
}
