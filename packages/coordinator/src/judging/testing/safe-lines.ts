import { createToolRegistry, defaultSettings, defineTool } from '@signalbox/core';
import { aCallContext } from '@signalbox/core/testing';
import { createPolicy } from '@signalbox/policy';
import * as z from 'zod';
import { judgeCall, type JudgeDependencies } from '../judge-call.ts';

/** Lines that providers run often and without approval. */
export const SAFE_LINES: readonly string[] = [
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
];

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
  handle: () => Promise.reject(new Error('it is only judged')),
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

const CIRCUMSTANCES = { context: aCallContext(), mode: 'NORMAL' } as const;

/** Judges a line as a provider's call, from its arguments to the ruling. @throws if it needs approval */
export function approveLine(line: string): void {
  const judgement = judgeCall({ callId: 'c', tool: 'bash', args: { line } }, CIRCUMSTANCES, parts);
  if (judgement.kind !== 'judged' || judgement.ruling.kind !== 'allow') throw new Error(`asked: ${line}`);
}
