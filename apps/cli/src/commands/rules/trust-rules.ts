import { dirname } from 'node:path';
import type { UserRule } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { settingsFiles } from '../../runtime/settings/settings-files.ts';
import { readTrustedRules } from '../../runtime/settings/trusted-rules.ts';
import { ruleText } from '../../runtime/rules/rule-text.ts';

/** `signalbox rules trust`: shows the allow rules that came with the repository, and asks for your agreement. */
export async function trustRules(
  { isAgreed }: { readonly isAgreed: boolean },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'trust rules');
  const { settings } = await loadSettings(context);
  const shared = settings.rules.filter(({ layer, ruling }) => layer === 'workspace' && ruling === 'allow');
  const fresh = shared.filter((rule) => !rule.isTrusted);
  if (fresh.length === 0) {
    context.answer({
      json: () => ({ trusted: [] }),
      lines: () => [line(muted('Every shared rule is trusted.'))],
    });
    return EXIT.ok;
  }
  context.tell(fresh.flatMap(shown));
  if (!isAgreed && !(await agrees(fresh.length, context))) {
    context.answer({ json: () => ({ trusted: [] }), lines: () => [line(muted('Nothing was trusted.'))] });
    return EXIT.needsApproval;
  }
  const trusted = await readTrustedRules(dirname(settingsFiles(context).user), context.directory);
  await trusted.replace(shared);
  context.answer({
    json: () => ({ trusted: fresh.map(({ id }) => id) }),
    lines: () => [line(`Trusted ${fresh.length}, `, muted('until one of them changes'))],
  });
  return EXIT.ok;
}

function shown(rule: UserRule): readonly Line[] {
  const { id, source, because } = rule;
  return [
    line(as('warn', 'allow '), as('bold', ruleText(rule)), muted(`  ${id} (${source})`)),
    ...(because === null ? [] : [line('      ', because)]),
  ];
}

async function agrees(count: number, context: Context): Promise<boolean> {
  if (!context.flags.input || !context.terminal.stdin.tty) return false;
  const { signal } = new AbortController();
  const answer = await context.askLine(
    `Trust ${count === 1 ? 'this rule' : `these ${count} rules`}? [y/N] `,
    signal,
  );
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}
