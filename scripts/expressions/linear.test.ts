import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { backtrackingOf } from './backtracking-of.ts';
import { type Expression, expressionsOf } from './expressions-of.ts';

/** Built from other text at run time; what replaces `${…}` can contain no operator, for the given reason. */
const BUILT: Readonly<Record<string, string>> = {
  'apps/cli/src/commands/demo/test-counts.ts [#ℹ] ${…} (\\d+)': 'one of two words',
  'apps/dashboard/src/parts/marked-parts.ts (${…})': 'escaped',
  'packages/core/src/id.ts ^${…}_[abcdefghjkmnpqrstvwxyz][0123456789abcdefghjkmnpqrstvwxyz]{${…}}$':
    'a prefix and a length of this file',
  'packages/core/src/redaction/hidden-paths.ts (?<![\\w.~-])(?:(${…})|((?:\\/home|\\/Users|\\/media|\\/run\\/media|\\/var\\/mail|\\/var\\/spool\\/mail|\\/mnt\\/[a-z]\\/Users)/)${…})(?![\\w-]|\\.\\w)':
    'escaped',
  'packages/core/src/redaction/known-secrets.ts ${…}': 'escaped',
  'packages/filters/src/choose-filters.ts ${…}':
    'sources of signatures, each checked where it is written, joined by |',
  'packages/filters/src/lines/vital-line.ts ${…}': 'sources of expressions above it, joined by |',
  'packages/policy/src/network/project-files.ts \\b${…}:\\s{0,9}["\']([\\w.-]{1,100}/[\\w.-]{1,100})["\']':
    'a key of this file',
  'packages/policy/src/shell/expansion/fresh-variables.ts (?<![$\\w]|\\$\\{)${…}\\b': 'escaped',
  'packages/policy/src/shell/programs/files/perl-filter.ts ^(?:s[${…}](?:\\\\.|[^\\\\${…}])*[${…}](?:\\\\.|[^\\\\${…}])*[${…}][gimsx]*|print)(?:\\s+(?:if|unless)\\s+/(?:\\\\.|[^\\\\/])*/[ims]*)?$':
    'one of five marks, in a class',
  'packages/policy/src/shell/paths/project-folder.ts ^${…}${…}${…}': 'an option of a table',
  'packages/sandbox/src/limits/cgroup-version.ts ^${…} (\\d+)$': 'a key of this file',
  'scripts/expressions/fragments-of.ts ^(?:${…})$': 'a class of an expression that is checked',
  'scripts/handler-callers.ts handle\\b|${…}': 'names of functions of a table in that file',
  'packages/sandbox/src/process-tree/process-tree.ts ^${…}:\\s+(\\d+) kB$': 'a key of this file',
};

const { constant, built } = all();

test('every regular expression takes linear time, however long the text is', () => {
  expect(constant.length).toBeGreaterThan(1_000);
  expect(faultsOf(constant)).toEqual([]);
});

test('no text that a regular expression is built from can contain an operator', () => {
  expect(built.map(({ path, source }) => `${path} ${source}`).toSorted()).toEqual(
    Object.keys(BUILT).toSorted(),
  );
  expect(faultsOf(built)).toEqual([]);
});

test('an expression that takes longer is a fault', () => {
  const { constant: bad } = expressionsOf({ path: 'a.ts', text: '\n/(a+)+$/.test(text)' });
  expect(faultsOf(bad)).toEqual(['a.ts:2: /(a+)+$/: takes exponential time']);
});

function faultsOf(expressions: readonly Expression[]): readonly string[] {
  const once = new Map(expressions.map((one) => [`${one.source}/${one.flags}`, one]));
  return [...once.values()].flatMap(({ path, line, source, flags }) => {
    const problem = problemOf(source.replaceAll('${…}', 'name'), flags);
    return problem === undefined ? [] : [`${path}:${line}: /${source}/${flags}: ${problem}`];
  });
}

function problemOf(source: string, flags: string): string | undefined {
  try {
    const backtracking = backtrackingOf(source, flags);
    return backtracking === 'none' ? undefined : `takes ${backtracking} time`;
  } catch (cause) {
    return `may take long: ${(cause as Error).message}`;
  }
}

/** Of all code and of the scripts, except tests. */
function all(): Readonly<{ constant: readonly Expression[]; built: readonly Expression[] }> {
  const folders = ['apps', 'packages'].flatMap((floor) =>
    readdirSync(floor).map((name) => `${floor}/${name}/src`),
  );
  const found = [...folders, 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.(?:[jt]sx?|mjs)$/.test(path) && !/node_modules|\.test\.|\/testing\//.test(path))
      .map((path) => expressionsOf({ path, text: readFileSync(path, 'utf8') })),
  );
  return {
    constant: found.flatMap((file) => file.constant),
    built: found.flatMap((file) => file.built),
  };
}
