import { createToolRegistry, defaultSettings, defineTool } from '@signalbox/core';
import { aCallContext } from '@signalbox/core/testing';
import { createPolicy } from '@signalbox/policy';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { judgeCall, type JudgeDependencies } from './judge-call.ts';

/** Lines that providers run often and without approval. */
const SAFE_LINES = [
  'git status',
  'git diff --stat HEAD~1',
  'git log --oneline -20 -- src/cart.ts',
  'ls -la src',
  'cat src/cart.ts | head -40',
  "grep -rn 'total(' src test",
  "find src -name '*.ts' | sort | wc -l",
  'npm test',
  'node --test test/cart.test.ts',
  "sed -n '10,40p' src/receipt.ts",
  'cd src && ls && cat money.ts',
  'echo done',
] as const;

const bash = defineTool({
  name: 'bash',
  description: 'Runs a shell line',
  requestKind: 'bash',
  category: 'execute',
  risk: 'medium',
  args: z.strictObject({ line: z.string() }),
  describe: ({ line }) => line,
  shellLine: ({ line }) => ({ line }),
  effects: () => [],
  handle: () => Promise.reject(new Error('a bench runs nothing')),
});

const WORKSPACE = '/repo';
const same = <Value>(value: Value): Value => value;
const parts: JudgeDependencies = {
  tools: createToolRegistry([bash]),
  policy: createPolicy(defaultSettings(), { workspace: WORKSPACE, home: '/home/ana' }),
  files: { normalise: same, targetOf: same },
  workspace: WORKSPACE,
  home: '/home/ana',
  lines: { tests: null, lint: null },
  sandboxed: true,
  transactional: true,
  settings: defaultSettings(),
  redact: { text: same, json: same },
};

test('a safe shell line is classified and approved in under 0.3 ms at p99', () => {
  const circumstances = { context: aCallContext(), mode: 'NORMAL' } as const;
  const times: number[] = [];
  for (let n = 0; n < 30_000; n++) {
    const line = SAFE_LINES[n % SAFE_LINES.length] ?? '';
    const startedAt = performance.now();
    const judgement = judgeCall({ callId: 'c', tool: 'bash', args: { line } }, circumstances, parts);
    times.push(performance.now() - startedAt);
    if (judgement.kind !== 'judged' || judgement.ruling.kind !== 'allow') throw new Error(`asked: ${line}`);
  }
  const warm = times.slice(3000).toSorted((a, b) => a - b);
  const at = (share: number): number => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  console.log(`judged: p50 ${(at(0.5) * 1000).toFixed(0)} us, p99 ${(at(0.99) * 1000).toFixed(0)} us`);
  expect(at(0.99)).toBeLessThan(0.3);
});
