import { type Invocation, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../program.ts';
import { textOf, type Word } from '../word.ts';

/**
 * Whether the words say that nothing is to be sent, and none takes that back: `--dry-run=false`, `--dry-run false` and
 * `--no-dry-run` do, and a word that is not known may.
 */
export function isDryRun(words: readonly Word[], flag: RegExp = /^--dry-run(?:=true)?$/): boolean {
  const texts = words.map((word) => textOf(word) ?? '--no-dry-run');
  if (texts.some((text) => /^--no-dry-run|^--dry-run=(?!true$)|^false$/.test(text))) return false;
  // Behind `--` it is no option.
  const end = texts.indexOf('--');
  const options = end < 0 ? texts : texts.slice(0, end);
  return options.some((text, at) => flag.test(text) && !TAKES_VALUE.test(options[at - 1] ?? ''));
}

/** Behind one of these the word may be its value: `--tag --dry-run`. */
const TAKES_VALUE =
  /^-(?:-(?:tag|token|otp|registry|index|access|repository|username|password|package|manifest-path|target|features|filter|publish-url|organization)|[uprF])$/;

/** `npm publish --dry-run` packs and says what it would send. */
export function publishesUnless(
  isDry: (invocation: Invocation) => boolean = ({ words }) => isDryRun(words),
): Rule {
  return {
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    judge: (invocation) => {
      const { scene, span } = invocation;
      if (isDry(invocation))
        return scene.report.raise('warning', 'runs-script', 'builds the package, publishes nothing', span);
      scene.report.effect(NETWORK);
      scene.report.raise('dangerous', 'publishes', 'publishes, or uses the account of a registry', span);
    },
  };
}
