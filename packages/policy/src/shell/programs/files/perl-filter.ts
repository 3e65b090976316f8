import type { Invocation } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { beginningOf, textOf, withEnding } from '../../word.ts';

/** `-p`, `-0777`, `-i.bak`, `-lane`; the text after `i` is the suffix of the backup. Digits are read whole. */
const FLAGS = /^-(?:[pnlaw]|0\d*(?!\d))*(?:(?<inPlace>i(?:\.\w+|~)?)|e)?$/;

/** Statements: `s/a/b/g`, `print if /a/`. */
const CHANGES = ['/', '|', '#', '!', ','].map((mark) => {
  const body = String.raw`[${mark}](?:\\.|[^\\${mark}])*`;
  return new RegExp(
    String.raw`^(?:s${body}${body}[${mark}][gimsx]*|print)(?:\s+(?:if|unless)\s+/(?:\\.|[^\\/])*/[ims]*)?$`,
  );
});

/** An expression within a text: `@{[ … ]}`, `$a[…]`, `(?{ … })`. */
const EXPRESSION = /[$@]\w*\s*[[{\\]|->|\(\?\??\{|`/;

/** An option, or a name that is a command or another open mode: `'id|'`. */
const NO_FILE = /^\s*[-|<>]|\|\s*$/;

/**
 * `perl -pi -e 's/a/b/' a.ts`: substitutes and prints, and writes in place with `-i`. Returns whether it was only that;
 * the text must consist of such statements alone.
 */
export function filtersLines({ program, words, context, span }: Invocation): boolean {
  const at = words.findIndex((word) => /^-[a-z0-9]*e$/.test(textOf(word) ?? ''));
  const flags = words.slice(0, at + 1).map((word) => textOf(word) ?? '?');
  const [text, ...files] = words.slice(at + 1);
  if (program !== 'perl' || at < 0 || !flags.every((flag) => FLAGS.test(flag))) return false;
  if (!isPlain(textOf(text)) || files.some((file) => NO_FILE.test(beginningOf(file)))) return false;
  context.report.raise('warning', 'edits-in-place', { text: 'filters files with a Perl script', span });
  const inPlace = flags.map((flag) => FLAGS.exec(flag)?.groups?.['inPlace']).find((one) => one !== undefined);
  for (const file of files) {
    touchRead(context, file);
    if (inPlace === undefined) continue;
    touchWrite(context, file);
    const backup = inPlace.slice(1);
    if (backup !== '') touchWrite(context, withEnding(file, backup));
  }
  return true;
}

function isPlain(text: string | undefined): boolean {
  if (text === undefined || EXPRESSION.test(text)) return false;
  return text
    .split(';')
    .every((part) => part.trim() === '' || CHANGES.some((change) => change.test(part.trim())));
}
