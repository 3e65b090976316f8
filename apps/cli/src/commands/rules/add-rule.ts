import { ProviderId, type RuleRuling, UsageError } from '@signalbox/core';
import { commandsOf, proposeRule } from '@signalbox/policy';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, line as row, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { createQuestions } from '../../runtime/rules/questions.ts';
import { ruleYaml } from '../../runtime/rules/rule-yaml.ts';
import { ruleEnd } from '../../runtime/rules/rule-end.ts';
import type { SettingsScope } from '../../runtime/rules/settings-files.ts';
import { storeRule } from '../../runtime/rules/store-rule.ts';

type Wanted = Readonly<{
  id?: string | undefined;
  line?: string | undefined;
  ruling: RuleRuling;
  because?: string | undefined;
  endsInMs: number | undefined;
  file: SettingsScope;
}>;

/**
 * `signalbox rules add -- LINE`: writes a rule as narrow as the line, after showing it; refused if it would change
 * nothing.
 */
export async function addRule(wanted: Wanted, context: Context): Promise<ExitCode> {
  refuseInsideCommand(context, 'add a rule');
  const { line, ruling, because, endsInMs } = wanted;
  if (line === undefined) {
    throw new UsageError('usage', 'Cannot add a rule: no shell line is given', {
      next: ["signalbox rules add -- 'npm install'", 'write other rules into the file: docs/policy.md'],
    });
  }
  const { settings } = await loadSettings(context);
  const { id: proposedId, match } = ruling === 'allow' ? allowFor(line) : holdBackFor(line);
  const { rule, file, counts } = await storeRule(
    {
      id: wanted.id ?? proposedId,
      [ruling]: match,
      ...(because === undefined ? {} : { because }),
      ...(endsInMs === undefined ? {} : { expires: ruleEnd(context.clock.now() + endsInMs) }),
      examples: { match: [line] },
    },
    wanted.file,
    context,
  );
  context.answer({
    json: () => ({ file, rule }),
    lines: () => [
      row(muted(`Added to ${file}:`)),
      ...ruleYaml([rule])
        .trimEnd()
        .split('\n')
        .map((text) => row('  ', text)),
    ],
  });
  if (!counts) {
    context.tell([
      row(as('warn', 'Not in effect yet: '), `${file} is shared. `, as('accent', 'signalbox rules trust')),
    ]);
  }
  return EXIT.ok;

  function allowFor(of: string): { id: string; match: unknown } {
    const question = createQuestions(context, settings).ofLine(of, {
      provider: ProviderId.parse('you'),
      mode: 'NORMAL',
      cwd: '.',
    });
    const policy = createQuestions(context, settings).policyOf(settings);
    const ruled = policy.rule(question);
    const proposal = proposeRule(question, ruled);
    if (proposal !== undefined) return { id: proposal.id, match: proposal.allow };
    throw new UsageError('no-such-rule', 'Cannot make an allow rule for this line: it would have no effect', {
      why: [
        `it is ${ruled.kind} by "${ruled.rule}" (${ruled.source}): ${ruled.reason}`,
        'an allow rule applies only at level warning, and only if everything the line does is known before it runs',
      ],
      next: [`signalbox policy explain -- ${JSON.stringify(of)}`],
    });
  }
}

function holdBackFor(line: string): { id: string; match: unknown } {
  const [command, ...more] = commandsOf(line)?.commands ?? [];
  const words = command?.args.filter((word) => word !== null) ?? [];
  const isKnown = command !== undefined && more.length === 0 && words.length === command.args.length;
  if (!isKnown || command.program === null || !/^[^\s*?]+$/.test(command.program)) {
    throw new UsageError(
      'no-such-rule',
      'Cannot make a rule for this line: it must be one program with its arguments',
      {
        next: ['write rules for whole lines into the file: docs/policy.md'],
      },
    );
  }
  const id = ['no', command.program, ...words]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return { id: id.slice(0, 48).replace(/-$/, ''), match: { program: command.program, args: words } };
}
