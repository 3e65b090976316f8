import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, transformSync } from 'rolldown/utils';
import { createHash } from 'node:crypto';

/** A file that decides or wires, and the tests that must notice each change of its code. */
export type MutatedFile = Readonly<{
  file: string;
  tests: readonly string[];
  /** Most of its code runs on import, so it is loaded once more for each change. Default false. */
  runsOnImport?: boolean;
}>;

/** The smallest share of changes that the tests of a file must notice, in percent. */
export const FLOOR = 90;

/** Changed by `npm run mutation`; `results.json` has what came of it. */
export const MUTATED_FILES: readonly MutatedFile[] = [
  {
    file: 'packages/coordinator/src/command/audit-entry-of.ts',
    tests: ['packages/coordinator/src/command/audit-entry-of.test.ts'],
  },
  {
    file: 'packages/coordinator/src/judging/confinement-of.ts',
    tests: ['packages/coordinator/src/judging/confinement-of.test.ts'],
  },
  {
    file: 'packages/core/src/redaction/known-secrets.ts',
    tests: ['packages/core/src/redaction/known-secrets.test.ts'],
  },
  {
    file: 'packages/server/src/access/known-host.ts',
    tests: ['packages/server/src/access/known-host.test.ts'],
  },
  {
    file: 'packages/policy/src/governance/path-gate.ts',
    tests: [
      'packages/policy/src/governance/path-gate.test.ts',
      'packages/policy/src/governance/path-gate-lists.test.ts',
      'packages/policy/src/governance/path-refusals.test.ts',
      'packages/policy/src/governance/layers.test.ts',
      'packages/policy/src/governance/create-policy.test.ts',
    ],
  },
  {
    file: 'packages/policy/src/governance/limits.ts',
    tests: ['packages/policy/src/governance/limits.test.ts'],
  },
  {
    file: 'packages/policy/src/governance/verdict-gate.ts',
    tests: [
      'packages/policy/src/governance/verdict-gate.test.ts',
      'packages/policy/src/governance/refusals.test.ts',
      'packages/policy/src/governance/create-policy.test.ts',
      'packages/policy/src/governance/layers.test.ts',
    ],
  },
  {
    file: 'packages/policy/src/governance/size-gate.ts',
    tests: [
      'packages/policy/src/governance/size-gate.test.ts',
      'packages/policy/src/governance/refusals.test.ts',
      'packages/policy/src/governance/create-policy.test.ts',
      'packages/policy/src/governance/layers.test.ts',
    ],
  },
  {
    file: 'packages/coordinator/src/untrusted/downloaded-files.ts',
    tests: ['packages/coordinator/src/untrusted/untrusted.test.ts'],
  },
  { file: 'packages/server/src/access/role.ts', tests: ['packages/server/src/access/role.test.ts'] },
  {
    file: 'packages/server/src/mcp/agent-answers.ts',
    tests: ['packages/server/src/mcp/agent-answers.test.ts'],
  },
  {
    file: 'packages/coordinator/src/command/outcome/outcome-of.ts',
    tests: [
      'packages/coordinator/src/command/outcome/outcome-of.test.ts',
      'packages/coordinator/src/command/outcome/outcome-words.test.ts',
      'packages/coordinator/src/command/outcome/error-words.test.ts',
    ],
  },
  {
    file: 'packages/coordinator/src/session/run-checks.ts',
    tests: ['packages/coordinator/src/session/run-checks.test.ts'],
  },
  {
    file: 'packages/coordinator/src/session/critical-failure.ts',
    tests: ['packages/coordinator/src/session/critical-failure.test.ts'],
  },
  {
    file: 'packages/coordinator/src/retry/retry-delay.ts',
    tests: ['packages/coordinator/src/retry/retry-delay.test.ts'],
  },
  {
    file: 'packages/coordinator/src/offer/gate-dependencies.ts',
    tests: ['packages/coordinator/src/offer/gate-dependencies.test.ts'],
  },
  {
    file: 'packages/coordinator/src/offer/filter-tools.ts',
    tests: ['packages/coordinator/src/offer/filter-tools.test.ts'],
  },
  {
    file: 'packages/coordinator/src/gates/utility/score-utility.ts',
    tests: ['packages/coordinator/src/gates/utility/score-utility.test.ts'],
  },
  {
    file: 'packages/coordinator/src/session/compression/plan-compression.ts',
    tests: ['packages/coordinator/src/session/compression/plan-compression.test.ts'],
  },
  {
    file: 'packages/coordinator/src/gates/gate-chain.ts',
    tests: [
      'packages/coordinator/src/gates/gate-chain.test.ts',
      'packages/coordinator/src/gates/gate-chain-unit.test.ts',
    ],
  },
  {
    file: 'packages/coordinator/src/gates/adversarial/judge-answer.ts',
    tests: ['packages/coordinator/src/gates/adversarial/judge-question.test.ts'],
  },
  {
    file: 'packages/coordinator/src/gates/adversarial/claim-sources.ts',
    tests: ['packages/coordinator/src/gates/adversarial/claim-sources.test.ts'],
  },
];

/** Identifies the code of a file: formatting, types and comments do not count. */
export function codeHash(root: string, file: string): string {
  const { code } = transformSync(file, readFileSync(join(root, file), 'utf8'));
  const printed = minifySync(file, code, { compress: false, mangle: false }).code;
  return createHash('sha256').update(printed).digest('hex').slice(0, 16);
}
