import { UsageError } from '@signalbox/core';
import { parseDocument } from 'yaml';
import { ruleYaml } from '../../runtime/rules/rule-yaml.ts';
import { LOCAL_FILE } from '../../runtime/settings/settings-files.ts';

/**
 * A user's own file with imported rules.
 *
 * @throws {UsageError} `has-rules` if it has some already: only the user knows which of the two apply
 */
export function withRules(text: string, { from, rules }: { from: string; rules: readonly object[] }): string {
  if (rules.length === 0) return text;
  if (parseDocument(text).has('rules')) {
    throw new UsageError('has-rules', `Cannot import the rules of ${from}: ${LOCAL_FILE} already has rules`, {
      next: [`signalbox policy import ${from}   prints them, to copy by hand`],
    });
  }
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}\n# From ${from}, by signalbox init. They apply only here: signalbox rules lists them.\n${ruleYaml(rules)}`;
}
