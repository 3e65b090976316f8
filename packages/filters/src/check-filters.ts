import type { FiltersSettings, SettingsProblem } from '@signalbox/core';
import { BUILT_IN_FILTERS, plain } from './built-in/built-in-filters.ts';
import type { CompileRegex } from './match/command-matcher.ts';

/** Names of all filters, in the order in which they are tried. */
export function filterNames(settings: Pick<FiltersSettings, 'define'>): readonly string[] {
  return [...Object.keys(settings.define), ...BUILT_IN_FILTERS.map(({ name }) => name), plain.name];
}

/** Why filters of the settings can't be used: invalid patterns, unknown names. */
export function checkFilters(
  settings: FiltersSettings,
  compileRegex: CompileRegex,
): readonly SettingsProblem[] {
  const known = new Set(filterNames(settings));
  const strangers = settings.off.flatMap((name, at) =>
    known.has(name)
      ? []
      : [
          {
            path: ['filters', 'off', at],
            message: `names no filter: "${name}"; they are ${[...known].join(', ')}`,
          },
        ],
  );
  const invalid = Object.entries(settings.define).flatMap(([name, declared]) => {
    const matchers = [declared.match].flat();
    const patterns: readonly (readonly [pattern: string, ...path: (string | number)[]])[] = [
      ...matchers.flatMap((match, at) =>
        'regex' in match
          ? [[match.regex, 'match', ...(Array.isArray(declared.match) ? [at] : []), 'regex'] as const]
          : [],
      ),
      ...declared.strip.map((pattern, at) => [pattern, 'strip', at] as const),
      ...declared.keep.map((pattern, at) => [pattern, 'keep', at] as const),
      ...(declared.summary === undefined ? [] : [[declared.summary, 'summary'] as const]),
    ];
    return patterns.flatMap(([pattern, ...path]) => {
      const problem = problemOf(pattern, compileRegex);
      return problem === null
        ? []
        : [{ path: ['filters', 'define', name, ...path], message: `is not a valid pattern: ${problem}` }];
    });
  });
  return [...strangers, ...invalid];
}

function problemOf(pattern: string, compileRegex: CompileRegex): string | null {
  try {
    compileRegex(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
