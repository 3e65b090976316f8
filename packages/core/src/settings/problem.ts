import type * as z from 'zod';
import { nearestWord } from './keys/nearest-word.ts';
import { renamedKey } from './keys/renamed-keys.ts';
import { knownKeys } from './keys/known-keys.ts';
import type { SettingsPath } from './keys/settings-path.ts';

/** Why a settings file is refused, at one position of it. */
export type SettingsProblem = {
  readonly path: SettingsPath;
  /** Lower case, no full stop: `unknown key "prompt_on_warnings"`. */
  readonly message: string;
  /** The key or word that was probably meant. */
  readonly didYouMean?: string;
};

const UNKNOWN_KEY = 'unknown key ';

export function isUnknownKey({ message }: SettingsProblem): boolean {
  return message.startsWith(UNKNOWN_KEY);
}

export function toProblems(issues: readonly z.core.$ZodIssue[]): readonly SettingsProblem[] {
  return issues.flatMap(toProblem);
}

function toProblem(issue: z.core.$ZodIssue): readonly SettingsProblem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => onUnknownKey([...path, key], key));
    case 'invalid_value': {
      const words = issue.values.map(String);
      const given = typeof issue.input === 'string' ? nearestWord(issue.input, words) : undefined;
      return [
        withHint({ path, message: `must be one of ${words.join(', ')}, not ${show(issue.input)}` }, given),
      ];
    }
    case 'invalid_type':
      return [{ path, message: `must be ${nameOf(issue.expected)}, not ${show(issue.input)}` }];
    case 'too_small':
      return [
        {
          path,
          message: `must be ${bound(issue, 'at least', { limit: issue.minimum })}, not ${show(issue.input)}`,
        },
      ];
    case 'too_big':
      return [
        {
          path,
          message: `must be ${bound(issue, 'at most', { limit: issue.maximum })}, not ${show(issue.input)}`,
        },
      ];
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return [{ path, message: issue.message }];
  }
}

function onUnknownKey(path: SettingsPath, key: string): SettingsProblem {
  const message = `${UNKNOWN_KEY}"${key}"`;
  const renamed = renamedKey(path);
  if (renamed !== undefined) return { path, message, didYouMean: renamed };
  const [first, second] = path;
  const nearest = nearestWord(key, knownKeys(path.slice(0, -1)));
  if (nearest !== undefined || first !== 'tools' || typeof second !== 'string') {
    return withHint({ path, message }, nearest);
  }
  const section = nearestWord(second, knownKeys(['tools']));
  return withHint({ path, message }, section === undefined ? undefined : `tools.${section}`);
}

function withHint(problem: SettingsProblem, didYouMean: string | undefined): SettingsProblem {
  return didYouMean === undefined ? problem : { ...problem, didYouMean };
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section of keys',
  record: 'a section of keys',
};

function nameOf(expected: string): string {
  return TYPES[expected] ?? expected;
}

function bound(
  issue: { origin: string; inclusive?: boolean },
  word: string,
  { limit }: Readonly<{ limit: number | bigint }>,
): string {
  if (issue.origin === 'string') return `${word} ${limit} characters long`;
  if (issue.origin === 'array') return `a list of ${word} ${limit}`;
  return issue.inclusive === false
    ? `${word === 'at least' ? 'more' : 'less'} than ${limit}`
    : `${word} ${limit}`;
}

/** A value as in the file, on one line, cut. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
