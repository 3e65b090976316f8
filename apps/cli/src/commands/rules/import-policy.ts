import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { readImport } from './read-import.ts';
import { ruleYaml } from '../../runtime/rules/rule-yaml.ts';

/**
 * `signalbox policy import claude-code --from-file FILE`: its rules as a fragment of YAML, and those that can't be
 * converted.
 */
export async function importPolicy(
  { from, file }: { readonly from: string | undefined; readonly file: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const { name, rules, skipped } = await readImport({ from, file }, context);
  if (context.flags.json) context.json({ from: name, rules, skipped });
  else context.write(`# From ${name}\n${ruleYaml(rules)}`);
  context.say([
    ...skipped.map(({ rule, why }) => line(as('warn', 'left out '), as('bold', rule), muted(`: ${why}`))),
    line(
      muted(
        `${rules.length} rules, ${skipped.length} left out. Nothing was changed: copy what you need into a file`,
      ),
    ),
  ]);
  return EXIT.ok;
}
