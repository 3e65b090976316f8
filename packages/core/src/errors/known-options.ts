import { nearestWord } from '../settings/keys/nearest-word.ts';
import { UsageError } from './errors.ts';

/**
 * Refuses options that do not exist: a misspelt one would silently be the default.
 *
 * @param taker the function that takes them
 * @param known the names of all options
 * @throws {UsageError} `invalid-arguments`
 */
export function requireKnownOptions(
  taker: string,
  options: object,
  known: Readonly<Record<string, unknown>>,
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const meant = nearestWord(unknown, names);
  const hint = meant === undefined ? `options: ${names.join(', ')}` : `did you mean "${meant}"?`;
  throw new UsageError('invalid-arguments', `Cannot use option "${unknown}" of ${taker}: ${hint}`);
}
