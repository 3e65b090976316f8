import { InvalidArgumentError, Option } from 'commander';
import type { Flag } from './subcommand-row.ts';

/** A flag as commander reads and shows it. */
export function optionOf(flag: Flag): Option {
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const option = new Option(`${short}--${flag.name}${value}`, flag.text);
  if (flag.many === true) {
    option.argParser((given: string, before: readonly string[] | undefined) => [...(before ?? []), given]);
  }
  if (flag.name === 'verbose') option.argParser((_given, before: number | undefined) => (before ?? 0) + 1);
  const { choices } = flag;
  if (choices !== undefined) {
    option.argChoices = [...choices];
    option.argParser((given: string) => {
      if (choices.includes(given)) return given;
      throw new InvalidArgumentError(`it must be one of ${choices.join(', ')}`);
    });
  }
  return option;
}
