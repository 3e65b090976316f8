import { type WorkBudget, STEPS } from '../budget.ts';
import { namesSecret } from '../paths/named-secrets.ts';
import type { Walk } from '../program.ts';
import type { Report } from '../report/report.ts';
import { runWords } from './run-words.ts';

/** Words of one command; beyond, it is not judged and dangerous. */
const MAX_WORDS_OF_COMMAND = 1000;
/** `env nice timeout 5 …`: deeper ones are not judged and dangerous. */
const MAX_WRAPPERS = 12;

/** Judges the commands of one line, and those that they start, within the bounds above. */
export function createBoundedRunner(report: Report, budget: WorkBudget): Walk['runWords'] {
  let wrappers = 0;

  return (words, context) => {
    const [name] = words;
    budget.spend(STEPS.command + words.length * STEPS.item);
    if (namesSecret(words.slice(0, MAX_WORDS_OF_COMMAND))) report.sources.namedSecrets += 1;
    if (words.length > MAX_WORDS_OF_COMMAND) {
      report.effect({ kind: 'write-unknown' });
      return report.raise('dangerous', 'too-long', {
        text: 'contains a command with too many words to check',
        span: name?.span,
      });
    }
    if (wrappers >= MAX_WRAPPERS) {
      report.effect({ kind: 'write-unknown' });
      return report.raise('dangerous', 'too-nested', {
        text: 'nests too many programs that start other programs',
        span: name?.span,
      });
    }
    wrappers += 1;
    runWords(words, context);
    wrappers -= 1;
  };
}
