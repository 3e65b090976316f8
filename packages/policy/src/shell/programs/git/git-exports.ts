import {
  type Invocation,
  NETWORK,
  type Rule,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { isSecret } from '../../paths/path-words.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, literal, textOf, type Word } from '../../word.ts';

/** Git commands that export committed content into files of another kind. */
export const gitExports: Readonly<Record<string, Rule>> = {
  archive: {
    unknownOptions: 'any',
    judge: writesArchive,
    examples: {
      safe: ['git archive HEAD src | tar -t'],
      warning: [
        'git archive -o x.tar HEAD',
        'git archive --outp=x.tar HEAD',
        'git archive -vo x HEAD',
        'git archive --remote=origin HEAD',
      ],
      dangerous: [
        'git archive HEAD .env',
        'git archive --add-file=.env HEAD',
        'git archive -o ../x.tar HEAD',
      ],
      blocked: ['git archive --output=/etc/x HEAD'],
    },
  },
  'format-patch bundle': {
    unknownOptions: 'any',
    judge: writesPatches,
    examples: {
      safe: ['git format-patch --stdout HEAD~2', 'git bundle verify x.bundle'],
      warning: ['git format-patch -1', 'git bundle create x.bundle main', 'git format-patch -o out -1'],
      dangerous: ['git format-patch -o ../x -1'],
    },
  },
};

/** An archive goes to its file, or to standard output. */
function writesArchive({ words, context, span }: Invocation): void {
  for (const word of words) touchSecret(word, context);
  if (words.some((word) => /^--(?:rem|exe)/.test(beginningOf(word)))) {
    context.report.raise('warning', 'network', { text: 'contacts another repository', span });
    context.report.effect(NETWORK);
  }
  if (words.some((word) => beginningOf(word).startsWith('--exe')))
    context.report.raise('dangerous', 'starts-program', { text: 'sets a program to run', span });
  const target = outputOf(words);
  if (target !== undefined) touchWrite(context, target);
}

/** Patches go here or into the folder of `-o`; a bundle into the file it names. */
function writesPatches({ program, words, context, span }: Invocation): void {
  const verb = textOf(words[0]) ?? '';
  if (program === 'git bundle') {
    if (/^(?:verify|list-heads)$/.test(verb)) return;
    const file = words.slice(1).find((word) => !beginningOf(word).startsWith('-'));
    context.report.raise('warning', 'writes-file', { text: 'writes or imports a bundle', span });
    if (file === undefined || verb !== 'create') context.report.effect(WRITES_UNKNOWN);
    else touchWrite(context, file);
    return;
  }
  if (words.some((word) => textOf(word) === '--stdout')) return;
  touchWrite(context, outputOf(words) ?? literal('.', span), { scope: 'tree' });
}

/** The value of `-o`, `--output` or `--output-directory`, or of their abbreviations, glued or next. */
function outputOf(words: readonly Word[]): Word | undefined {
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    if (/^(?:-[a-zA-Z]*o|--o[a-z-]*)$/.test(text)) return words[at + 1];
    const glued = /^(?:-o|--o[a-z-]*=)(?=.)/.exec(text)?.[0];
    if (glued !== undefined && !text.startsWith('-o=')) return after(word, glued.length);
  }
  return undefined;
}

/** `git archive HEAD .env`: the named path may be a secret; any other is not a read of a path. */
function touchSecret(word: Word, context: EvaluationContext): void {
  const value = after(word, beginningOf(word).indexOf('=') + 1);
  if (isSecret(textOf(value) ?? '')) touchRead(context, value);
}
