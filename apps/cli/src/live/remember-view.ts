import { isAgreement, type RememberState } from './remember-prompt.ts';
import type { DraftOfRule, Scope } from '../runtime/rules/rule-draft.ts';
import { ruleYaml } from '../runtime/rules/rule-yaml.ts';
import { fit } from '../terminal/cells.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { typedRow } from '../views/typed-row.ts';

const WHERE: Readonly<Record<Scope, string>> = {
  session: 'this session only; ends with it',
  local: 'only you, this workspace: .signalbox/local.yaml',
  workspace: 'everyone in this workspace: signalbox.yaml, after signalbox rules trust',
  user: 'only you, all workspaces',
};

/** The rule exactly as stored, its scope and its expiry. */
export function rememberView(
  { draft, typed, problem }: RememberState,
  id: string,
  render: RenderContext,
): readonly Line[] {
  if (typed !== null) {
    return [
      typedRow(' rule ', typed, render),
      ...(problem === null
        ? []
        : [fit(line('   ', as('danger', 'cannot be used: '), problem), render.width)]),
      line(' ', muted('↵ check the rule   Esc discard')),
    ];
  }
  return [
    fit(line(' ', as('bold', `Remember ${id}`), muted(`   for ${WHERE[draft.scope]}`)), render.width),
    ...draftLines(draft).map((text) => fit(line('   ', text), render.width)),
    fit(keys(draft), render.width),
  ];
}

export function draftLines({ rule }: Pick<DraftOfRule, 'rule'>): readonly string[] {
  return ruleYaml([rule]).trimEnd().split('\n').slice(1);
}

function keys({ scope, rule }: DraftOfRule): Line {
  if (isAgreement(rule)) {
    return line(
      ' ',
      as('accent', '↵'),
      ' agree and approve   ',
      as('accent', '[E]dit'),
      '   ',
      as('accent', '[Esc]'),
    );
  }
  const ends = scope === 'session' ? [] : [as('accent', '[X]'), muted(` ${endText(rule['expires'])}   `)];
  return line(
    ' ',
    as('accent', '↵'),
    ' save rule and approve   ',
    as('accent', '[E]dit'),
    '   ',
    as('accent', '[Tab]'),
    muted(' scope   '),
    ...ends,
    as('accent', '[Esc]'),
  );
}

function endText(expires: unknown): string {
  return typeof expires === 'string' ? `ends ${expires.slice(0, 10)}` : 'never ends';
}
