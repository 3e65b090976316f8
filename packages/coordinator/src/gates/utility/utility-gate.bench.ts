import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { type EarlierResult, scoreUtility } from './score-utility.ts';
import { scoredCallOf } from './program-of.ts';
import { shinglesOf } from './shingles.ts';

const LINES = Array.from(
  { length: 40 },
  (_, at) => `grep -rn --include=*.ts total${at} src lib web test docs`,
);
const OUTPUT = Array.from({ length: 2000 }, (_, at) => `src/file-${at}.ts:${at}: total of ${at}`).join('\n');

const callOf = (line: string) => scoredCallOf({ callId: 'c', tool: 'bash', args: { line } }, line);

test('a call is scored against 20 earlier results in under 0.2 ms at p99', () => {
  const past = LINES.slice(0, 20).map((line): EarlierResult => ({
    ...callOf(line),
    commandId: aCommandId(),
    output: shinglesOf(OUTPUT),
    isEmpty: false,
    isFresh: true,
  }));
  const times: number[] = [];
  for (let n = 0; n < 20_000; n++) {
    const line = LINES[n % LINES.length] ?? '';
    const startedAt = performance.now();
    scoreUtility(callOf(line), { past, tokens: 400 });
    times.push(performance.now() - startedAt);
  }
  const warm = times.slice(2000).toSorted((a, b) => a - b);
  const at = (share: number): number => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  console.log(`scored: p50 ${(at(0.5) * 1000).toFixed(0)} us, p99 ${(at(0.99) * 1000).toFixed(0)} us`);
  expect(at(0.99)).toBeLessThan(0.2);
});
