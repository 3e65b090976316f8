import { readFileSync } from 'node:fs';
import { isAtLeast } from '@signalbox/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { classifyLine } from '../classify-line.ts';
import { LEAST_EFFECTS } from './least-effects.ts';
import { FAMILIES } from '../programs/table.ts';
import { EVALUATING_LINES } from '../testing/evaluating-lines.ts';

/** Reasons of lines that change nothing here: they read, print, end processes, or change the machine or the shell. */
const CHANGES_NOTHING = new Set(
  (
    'background changes-owner changes-shell changes-terminal copies decoded-into-shell defines-function deletes empty eval ' +
    'finds-secrets fork-bomb here-string kills lists-secrets lists-variables outside-workspace own-state package-list ' +
    'privilege reads-accounts reads-device reads-secret secret-variable sets-variable shows-environment shutdown system-change ' +
    'system-clock wrapper writes-device other-folder'
  ).split(' '),
);

function corpus(file: string, field: string): readonly string[] {
  return readFileSync(new URL(`../../../corpus/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => z.record(z.string(), z.unknown()).parse(JSON.parse(row))[field])
    .filter((line) => typeof line === 'string');
}

const LINES = [
  ...corpus('labelled.jsonl', 'command'),
  ...corpus('adversarial.jsonl', 'line'),
  ...corpus('everyday.jsonl', 'line'),
  ...Object.values(FAMILIES)
    .flat()
    .flatMap(({ examples = {} }) => Object.values(examples).flat()),
  ...EVALUATING_LINES.map(({ line }) => line),
];

test('each reason for evaluated or runnable text reports unknown writes, and only listed ones report nothing', () => {
  const verdicts = LINES.map((line) => ({ line, ...classifyLine(line, { cwd: '/repo' }) }));
  const wrong = verdicts.filter(({ level, reasons, effects }) => {
    const strict = reasons.filter((reason) => isAtLeast(reason.level, 'warning'));
    const claims = effects.some(({ kind }) => kind === 'write-unknown');
    if (!claims && strict.some(({ code }) => LEAST_EFFECTS.has(code))) return true;
    return level !== 'safe' && effects.length === 0 && !strict.some(({ code }) => CHANGES_NOTHING.has(code));
  });
  expect(wrong.map(({ line, reasons }) => [line, reasons.map(({ code }) => code)])).toEqual([]);
});
