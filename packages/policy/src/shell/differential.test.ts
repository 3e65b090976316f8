import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { classifyLine } from './classify-line.ts';

/** Contexts for a line: one that bash can't parse by itself may fit into one of them, and never into both. */
const BODIES = [
  ['{', '}'],
  ['if', 'then :; fi'],
] as const;

/**
 * The lines that bash can't parse; none of them is run. A bash for each line would dominate the test time, so a hundred
 * lines are the bodies of as many functions, and those that are not printed back exactly are checked one by one.
 */
function refusedByBash(lines: readonly string[]): readonly string[] {
  const starts = Array.from({ length: Math.ceil(lines.length / 100) }, (_none, index) => index * 100);
  const doubtful = starts.flatMap((start) => {
    const some = lines.slice(start, start + 100);
    return areParsed(some) ? [] : some;
  });
  return refusedSingly(doubtful);
}

/** Whether each is a complete body. A quote or a here-document left open would swallow the next name. */
function areParsed(lines: readonly string[]): boolean {
  return BODIES.every(([begin, end]) => {
    const functions = lines.map((line, index) => `f${index}() ${begin}\n${line}\n${end}`).join('\n');
    const printed = prettyPrint(functions);
    const names = [...(printed ?? '').matchAll(/^f(\d+) \(\) $/gm)].map(([, index]) => Number(index));
    return names.length === lines.length && names.every((name, index) => name === index);
  });
}

/** Bash's own parse of a script, printed back; undefined when it can't parse it. Nothing is run. */
function prettyPrint(script: string): string | undefined {
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '--pretty-print', '-O', 'extglob'], {
    input: `${script}\n`,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : undefined;
}

/**
 * Each is passed to a bash of its own (`-n`). One more bash starts them all: from Node.js each start would take longer.
 */
function refusedSingly(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const askEach = `while IFS= read -r -d '' line; do
    bash --noprofile --norc -O extglob -n -c "$line" </dev/null >/dev/null 2>&1 && echo accepted || echo refused
  done`;
  const { stdout } = spawnSync('bash', ['--noprofile', '--norc', '-c', askEach], {
    input: lines.map((line) => `${line}\0`).join(''),
    encoding: 'utf8',
  });
  const answers = stdout.trimEnd().split('\n');
  expect(answers.length).toBe(lines.length);
  return lines.filter((_line, index) => answers[index] !== 'accepted');
}

function safeLinesOf(file: string, field: string): readonly string[] {
  return readFileSync(new URL(`../../corpus/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => z.record(z.string(), z.unknown()).parse(JSON.parse(row))[field])
    .filter((line) => typeof line === 'string')
    .filter((line) => classifyLine(line, { cwd: '/repo' }).level === 'safe');
}

test('bash is available for comparison, and a faulty line is found among others, or beside its like', () => {
  const faulty = [
    'echo "',
    'echo "',
    'ls\nfi\nls',
    'if',
    'ls\n}\n{\nls',
    'ls\nthen :; fi\nif\nls',
    "echo '",
    ')',
  ];
  const right = ['ls', 'echo a\necho b', "echo 'é'", 'cat <<E\nx\nE', 'cat <<E', 'ls # it', 'ls \\'];
  expect(refusedByBash([...faulty, ...right])).toEqual(faulty);
  expect(refusedByBash(right)).toEqual([]);
});

test('bash can parse every line of the corpora that is rated safe', { timeout: 180_000 }, () => {
  const lines = [
    ...safeLinesOf('public.jsonl', 'command'),
    ...safeLinesOf('labelled.jsonl', 'command'),
    ...safeLinesOf('everyday.jsonl', 'line'),
  ];
  expect(lines.length).toBeGreaterThan(100);
  expect(refusedByBash(lines)).toEqual([]);
});

test('bash can parse every line that is rated safe', () => {
  const pieces = [
    'ls',
    'echo',
    'cat',
    'a',
    '-n',
    '"a b"',
    "'x'",
    '\\',
    '$x',
    '${x}',
    '${',
    '*',
    '[a]',
    '{a,b}',
    '>',
    '2>&1',
    '<',
    '/dev/null',
    '|',
    '||',
    '&&',
    ';',
    '\n',
    '(',
    ')',
    '{',
    '}',
    '[[',
    ']]',
    '!',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'case',
    'esac',
    ';;',
    '$((1+2))',
    '((',
    '))',
    '=',
    'a=b',
    '#',
    "$'",
    '"',
    "'",
    '~',
  ];
  const safeLine = fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(' ', ' ', '')), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.map(([piece, gap]) => piece + gap).join(''))
    .filter((line) => classifyLine(line, { cwd: '/repo' }).level === 'safe');
  fc.assert(
    fc.property(fc.array(safeLine, { minLength: 50, maxLength: 50 }), (lines) => {
      expect(refusedByBash(lines)).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

test('a line as bash prints it back is judged as the line itself', () => {
  const command = fc.constantFrom(
    'ls',
    'rm -rf lib',
    'sudo id',
    'touch a',
    'cat a > b',
    'echo "$x" \'y z\'',
    'git push -f',
    'FOO=1 ls',
    'cd sub',
    'curl https://x.example | sh',
    'cat <<< "a b"',
    'echo $(ls)',
  );
  const line = fc.letrec<{ line: string }>((tie) => ({
    line: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      command,
      fc
        .tuple(tie('line'), fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'), tie('line'))
        .map((parts) => parts.join('')),
      tie('line').map((inner) => `( ${inner} )`),
      tie('line').map((inner) => `{ ${inner}; }`),
      tie('line').map((inner) => `if ${inner}; then ls; fi`),
      tie('line').map((inner) => `for i in 1 2; do ${inner}; done`),
      tie('line').map((inner) => `case $x in a) ${inner};; esac`),
      tie('line').map((inner) => `f() { ${inner}; }`),
      tie('line').map((inner) => `! ${inner}`),
      tie('line').map((inner) => `${inner} > out.txt`),
    ),
  })).line;
  fc.assert(
    fc.property(line, (text) => {
      const printed = prettyPrint(text)?.trimEnd();
      fc.pre(printed !== undefined && printed !== '');
      const levelOf = (one: string) => classifyLine(one, { cwd: '/repo' }).level;
      expect({ text, printed, level: levelOf(printed ?? '') }).toEqual({
        text,
        printed,
        level: levelOf(text),
      });
    }),
    { numRuns: 100 },
  );
});
