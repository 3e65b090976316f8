import { expect, test } from 'vitest';
import { approveLine, SAFE_LINES } from './testing/safe-lines.ts';

test('a safe shell line is classified and approved in under 0.3 ms at p99', () => {
  const times: number[] = [];
  for (let n = 0; n < 30_000; n++) {
    const line = SAFE_LINES[n % SAFE_LINES.length] ?? '';
    const startedAt = performance.now();
    approveLine(line);
    times.push(performance.now() - startedAt);
  }
  const warm = times.slice(3000).toSorted((a, b) => a - b);
  const at = (share: number): number => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  console.log(`judged: p50 ${(at(0.5) * 1000).toFixed(0)} us, p99 ${(at(0.99) * 1000).toFixed(0)} us`);
  expect(at(0.99)).toBeLessThan(0.3);
});
