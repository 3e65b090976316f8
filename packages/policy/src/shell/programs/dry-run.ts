import { type Invocation, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../program.ts';
import { textOf, type Word } from '../word.ts';

/**
 * Whether the words request a dry run, and none revokes it: `--dry-run=false`, `--dry-run false` and `--no-dry-run` do,
 * npm accepts them abbreviated too (`--no-dry`), and an unknown word may.
 */
export function isDryRun(words: readonly Word[], flag: RegExp = /^--dry-run(?:=true)?$/): boolean {
  const texts = words.map((word) => textOf(word) ?? '--no-dry-run');
  if (texts.some((text) => TAKES_BACK.test(text))) return false;
  // After `--` it is no option.
  const end = texts.indexOf('--');
  const options = end < 0 ? texts : texts.slice(0, end);
  return options.some((text, at) => flag.test(text) && !mayTakeValue(options[at - 1] ?? ''));
}

const TAKES_BACK = /^-+no-(?:no-)*d(?:r[a-z-]*)?(?:=|$)|^-+d(?:r[a-z-]*)?=(?!true$)|^false$/i;

/** Whether the next word may be its value: `--tag --dry-run`, `--loglevel --dry-run`. */
function mayTakeValue(option: string): boolean {
  return /^-[^=]*$/.test(option) && !TAKES_NONE.test(option);
}

const TAKES_NONE =
  /^-(?:-(?:allow-dirty|all-features|build|force|frozen|ignore-scripts|json|keep-going|locked|no-default-features|no-git-checks|no-interaction|no-verify|offline|provenance|quiet|report-summary|silent|skip-existing|tolerate-republish|verbose|yes)|[nqsvy])$/;

/** `npm publish --dry-run` packs and prints what it would send. */
export function publishesUnless(
  isDry: (invocation: Invocation) => boolean = ({ words }) => isDryRun(words),
): Rule {
  return {
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    judge: (invocation) => {
      const { context, span } = invocation;
      if (isDry(invocation))
        return context.report.raise('warning', 'runs-script', {
          text: 'builds the package without publishing it',
          span,
        });
      context.report.effect(NETWORK);
      context.report.raise('dangerous', 'publishes', {
        text: 'publishes, or uses a registry account',
        span,
      });
    },
  };
}
