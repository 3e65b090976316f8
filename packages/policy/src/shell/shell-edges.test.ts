import { parse } from 'unbash';
import { describe, expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { classifyLine, classifyWithin } from './classify-line.ts';
import { createReport } from './report/report.ts';
import { walkLine } from './walk/walk.ts';
import { after, literal, PLAIN, type Word } from './word.ts';

const at = { cwd: '/repo', home: '/home/ana' };

describe('the verdict on a line at the edge of the language', () => {
  test.each([
    ['echo $((a ? b : c))', 'safe'],
    ['(( (a) = 1 ))', 'safe'],
    ['(( a[$(id)] = 1 ))', 'dangerous'],
    ['((1 2))', 'warning'],
    ['(( ))', 'warning'],
    ['[[ ( -n a ) && ! -z b ]]', 'safe'],
    ['[[ -n a || $a -eq 1 ]]', 'safe'],
    ['cat <<< {a,b}', 'warning'],
    [`${'if ls; then '.repeat(33)}ls; ${'fi; '.repeat(33)}`, 'dangerous'],
    ['if ls; then ls; fi; '.repeat(40), 'safe'],
    [`${'$('.repeat(32)}2>&-a`, 'dangerous'],
    [`>&-b ${'a'.repeat(16_379)}`, 'warning'],
    ['echo < 2>&1', 'warning'],
    ['a=(b) ls', 'warning'],
    ['a=b a=c ls', 'warning'],
    ['read -r y; declare -a a="x$y"', 'safe'],
    ['read -r y; declare -a a="($y)"', 'warning'],
    ['declare -a a="$((1 + 2))"', 'safe'],
    ["a='b[1]'; echo $((a))", 'safe'],
    ['ls [{a,b}]*', 'safe'],
    [`a='${'('.repeat(20)}'; b=$a$a; eval "$b"`, 'dangerous'],
    ['while ((1)); do ls & done', 'blocked'],
    ['while FOO=1; do ls & done', 'warning'],
    ['while true; do ls & wait; done', 'warning'],
    ['for ((;;)); do ls & done', 'blocked'],
    ['ls {a,"b"}', 'safe'],
    ['(( !a ))', 'safe'],
    ['echo $((-a))', 'safe'],
    ['cd a || (exit 1); touch b', 'warning'],
    ['cd "$x"; cat /repo/a', 'safe'],
    ['cd "$x"; /bin/ls', 'safe'],
    ['ls ( &ls', 'warning'],
    ['{&&<', 'warning'],
    ['(|`', 'dangerous'],
    ['touch {a,$x{b,c}}', 'warning'],
    ['cat ~root/.ssh/id_rsa', 'dangerous'],
    ['cat ~/.ss[h/id_rsa', 'dangerous'],
    ['cat /srv/*.log', 'safe'],
    ['cd $x; cat *', 'safe'],
    ['cd $x; cat .en*', 'dangerous'],
    ['cd $x; cat log*', 'safe'],
    ['cat ~/.ssh/$x', 'dangerous'],
    ['cd $y; cat a/$x', 'safe'],
    ['git clone https://x.example/a /', 'blocked'],
    [`eval '${'('.repeat(33)}'`, 'dangerous'],
    [`${'env '.repeat(13)}ls`, 'dangerous'],
    [`sudo id; ${Array.from({ length: 80 }, (_, n) => `x${n}`).join('; ')}`, 'blocked'],
  ] as const)('line %# of the table has its level', (line, level) => {
    expect(classifyLine(line, at).level).toBe(level);
  });

  test.each(['PWD=.git; touch ~+/config', 'read PWD < a; rm ~+/b', 'cd a; OLDPWD=.git; cd -; touch b'])(
    '%s writes to an unknown path: such names redirect paths',
    (line) => {
      expect(classifyLine(line, at).effects).toContainEqual({ kind: 'write-unknown' });
    },
  );

  test.each([
    ['a counter', 'i=1; while true; do ((i++)); done; touch $i', 'write-unknown'],
    ['too many texts', 'for i in 1 2 3 4 5; do touch $i$i; done', 'write-unknown'],
    ['this directory', 'touch ~+/a', 'a'],
    ['a directory that is not known', 'cd "$x"; touch ~+/a', 'write-unknown'],
    ['a wildcard with a way up behind it', 'touch a*/../b', 'write-unknown'],
    ['a pattern in a directory that is not known', 'cd "$x"; touch a*', 'write-unknown'],
    ['a path longer than any', `cd ${'a'.repeat(4000)}; touch ${'b'.repeat(300)}`, 'write-unknown'],
    [
      'a link whose target is longer than any',
      `ln -s ${'/a'.repeat(1900)} x; touch x/${'b'.repeat(500)}`,
      `x/${'b'.repeat(500)}`,
    ],
    [
      'the last of too many variables',
      `${Array.from({ length: 130 }, (_, n) => `v${n}=a`).join(';')}; touch "$v129"`,
      'write-unknown',
    ],
  ])('a write to %s is %s', (_name, line, expected) => {
    const { effects } = classifyLine(line, at);
    const last = effects.findLast(({ kind }) => kind === 'write' || kind === 'write-unknown');
    expect(last !== undefined && 'path' in last ? last.path : last?.kind).toBe(expected);
  });

  test('more effects than the bound leave the write set unknown', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`).join(' ');
    expect(classifyLine(`touch ${names(200)}`, at).effects).toHaveLength(200);
    expect(classifyLine(`touch ${names(300)}`, at).effects).toContainEqual({ kind: 'write-unknown' });
  });

  test('a workspace may be the whole file system', () => {
    expect(classifyLine('touch a', { cwd: '/', workspace: '/' }).effects).toEqual([
      { kind: 'write', path: 'a', scope: 'file' },
    ]);
  });

  test('an error in the classifier itself is dangerous', () => {
    const broken = {
      spend: () => {
        throw new Error('broken');
      },
      spent: () => 0,
    };
    expect(classifyWithin(broken, 'ls', at)).toMatchObject({
      level: 'dangerous',
      reasons: [{ code: 'unparseable' }],
      effects: [{ kind: 'write-unknown' }],
    });
  });

  test('a substitution without a tree is never safe', () => {
    const script = parse('echo $(ls)');
    const command = script.commands[0]?.command;
    const part = command?.type === 'Command' ? command.suffix[0] : undefined;
    const substitution = part?.type === 'Word' ? part.parts?.[0] : undefined;
    if (substitution?.type !== 'CommandExpansion') throw new Error('no substitution');
    Object.assign(substitution, { script: undefined });
    const budget = createBudget();
    const report = createReport(budget);
    const lineContext = { workspace: '/repo', home: '/~', ownFolders: [] };
    walkLine('echo $(ls)', script, { at: { lineContext, cwd: '/repo', budget }, report });
    expect(report.verdict().reasons.map(({ code }) => code)).toContain('unparseable');
  });
});

describe('after()', () => {
  const span = { start: 0, end: 1 };
  const origin = PLAIN;

  test.each<readonly [Word, Word]>([
    [literal('-ox', span), literal('x', span)],
    [
      { kind: 'choice', texts: ['-oa', '-ob'], span, origin },
      { kind: 'choice', texts: ['a', 'b'], span, origin },
    ],
    [
      { kind: 'glob', pattern: '-o*', span, origin },
      { kind: 'glob', pattern: '*', span, origin },
    ],
    [
      { kind: 'below', directory: 'a', span, origin },
      { kind: 'dynamic', beginning: '', splits: false, span, origin },
    ],
    [
      { kind: 'dynamic', beginning: '-oa', splits: true, span, origin },
      { kind: 'dynamic', beginning: 'a', splits: true, span, origin },
    ],
  ])('%j loses its first two characters', (word, rest) => {
    expect(after(word, 2)).toEqual(rest);
  });
});
