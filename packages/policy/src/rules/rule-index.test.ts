import { expect, test } from 'vitest';
import { PATH_CONTEXT, settingsOf } from '../governance/testing/question-builders.ts';
import { compileRules } from './compile-rules.ts';
import { indexRules } from './rule-index.ts';
import { subjectOf } from './subject.ts';
import { lineQuestion } from './testing/rule-questions.ts';

const COUNT = 500;
const numbers = Array.from({ length: COUNT }, (_, at) => at);

const index = indexRules(
  compileRules(
    settingsOf({
      rules: [
        ...numbers.map((at) => ({ id: `line-${at}`, deny: { line: `npm run x${at}` } })),
        ...numbers.map((at) => ({ id: `word-${at}`, deny: { program: 'npm', args: ['run', `x${at}`] } })),
        ...numbers.map((at) => ({ id: `git-${at}`, deny: { program: 'git', args: [`x${at}`] } })),
        { id: 'any', deny: { program: 'git' } },
        { id: 'option', deny: { program: 'git', args: ['--force'] } },
        { id: 'text', deny: { pattern: 'x' } },
      ],
    }).rules,
    PATH_CONTEXT,
    () => true,
  ),
);

const candidates = (line: string): readonly string[] =>
  index.of(subjectOf(lineQuestion(line), PATH_CONTEXT)).map(({ rule }) => rule.id);

test('only rules of the program whose required word is in the line, and of the same line, are candidates', () => {
  expect(candidates('git x7 x3')).toEqual(['git-3', 'git-7', 'any', 'option', 'text']);
  expect(candidates('/usr/bin/GIT status')).toEqual(['any', 'option', 'text']);
  expect(candidates(' npm run x9 ')).toHaveLength(COUNT + 2);
  expect(candidates(' npm run x9 ').slice(-2)).toEqual(['line-9', 'text']);
  expect(candidates('ls')).toEqual(['text']);
});

test('all rules of the program are candidates for a word that is not known, and all rules for such a program', () => {
  expect(candidates('git "$x"')).toHaveLength(COUNT + 3);
  expect(candidates('$x x7')).toHaveLength(3 * COUNT + 3);
});
