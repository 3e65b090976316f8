import { createBudget } from '../budget.ts';
import { parseLine } from '../syntax/parse.ts';
import type { EvaluationContext } from '../program.ts';
import { createReport } from '../report/report.ts';
import { NO_INPUT } from '../state.ts';
import { walkLine } from '../walk/walk.ts';

/** A context in `/repo` for a rule at the beginning of a line, in `cwd` or in an unknown directory. */
export function contextIn(cwd: string | undefined): EvaluationContext {
  const budget = createBudget();
  const report = createReport(budget);
  const lineContext = { workspace: '/repo', home: '/~', ownFolders: [] };
  return {
    report,
    lineContext,
    state: {
      cwd,
      variables: new Map(),
      isOpen: false,
      integers: new Set(),
      arrays: new Set(),
      functions: new Set(),
      folders: [],
      stdin: NO_INPUT,
    },
    walk: {
      runWords: () => {},
      runText(text) {
        const { script } = parseLine(text);
        if (script !== undefined)
          walkLine(text, script, { at: { lineContext, cwd: '/repo', budget }, report });
      },
      knows: () => false,
      printed: () => {},
      written: new Map(),
      links: new Map(),
      spend: budget.spend,
      spendOnParsing: () => {},
    },
    spanOf: ({ pos, end }) => ({ start: pos, end }),
    source: '',
    depth: 0,
  };
}
