import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { doctorView } from './doctor-view.ts';

const WHY = 'none found (not needed for the demo or a local model, nor for a coding agent)';
const FIX = 'export OPENAI_API_KEY=…   (or ANTHROPIC_API_KEY, DEEPSEEK_API_KEY, whichever you have)';

test('a finding is wrapped below itself, and a fix stays one line to paste', () => {
  const lines = doctorView([{ id: 'API keys', ok: false, stops: false, why: WHY, fix: FIX }], 80);
  expect(screenText(lines, Infinity).split('\n')).toEqual([
    '✗ API keys        none found (not needed for the demo or a local model, nor for',
    '                  a coding agent)',
    `    fix  ${FIX}`,
    '1 problem, nothing blocking',
  ]);
});

test('no label is cut: the column is as wide as the longest', () => {
  const check = (id: string) => ({ id, ok: true, stops: false, why: 'fine' });
  const lines = doctorView([check('extended attributes'), check('git')], 80);
  expect(screenText(lines, 80).split('\n').slice(0, 2)).toEqual([
    '✓ extended attributes fine',
    '✓ git                 fine',
  ]);
});

test('a single problem is reported as blocking', () => {
  const lines = doctorView([{ id: 'ollama', ok: false, stops: true, why: 'no answer' }], 80);
  expect(screenText(lines, 80).split('\n').at(-1)).toBe('1 problem, blocking');
});
