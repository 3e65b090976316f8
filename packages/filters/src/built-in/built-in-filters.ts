import type { Filter } from '../filter.ts';
import { cutMiddle } from '../lines/cut-middle.ts';
import { apt } from './apt.ts';
import { cargo } from './cargo.ts';
import { eslint, tsc } from './checkers.ts';
import { docker } from './docker.ts';
import { git, gitDiff } from './git.ts';
import { go } from './go.ts';
import { jest } from './jest.ts';
import { npm, pnpm, yarn } from './node-packages.ts';
import { nodeTest } from './node-test.ts';
import { pip } from './python-packages.ts';
import { pytest } from './pytest.ts';
import { vitest } from './vitest.ts';

/**
 * Longest report that stays whole: about thirty failures. Beyond it only lines that look like errors stay between its
 * head and its tail.
 */
const REPORT = cutMiddle({ head: 300, tail: 120, context: 2 });

/** In order: the first that is for a program decides. */
export const BUILT_IN_FILTERS: readonly Filter[] = [
  ...[vitest, jest, nodeTest, pytest, cargo, go, tsc, eslint, npm, pnpm, yarn, pip, apt, docker].map(
    (filter) => ({
      ...filter,
      stages: [...filter.stages, REPORT],
    }),
  ),
  // Of a difference or a list of files nothing is cut.
  gitDiff,
  git,
];

/** For every other program: control codes, progress bars and equal lines in a row. */
export const plain: Filter = { name: 'plain', matchers: [], isSummary: () => true, stages: [] };
