import { type Invocation, REPOSITORY_CODE } from '../program.ts';
import { looksLikeFile } from '../places.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, literal, textOf, type Word } from '../word.ts';

export type Formatting = Readonly<{
  /** Options that make it only look; it writes without them. */
  check: RegExp | undefined;
  /** Options that make it write; it only looks without them. */
  write: RegExp | undefined;
  /** Options that take a value as their own word. */
  values: RegExp;
  /** What it changes when no path is given. Default `.`. */
  everything?: string;
}>;

/** Judges a linter or formatter: it looks at the files it is given, or rewrites them. */
export function formats({
  check,
  write,
  values,
  everything = '.',
}: Formatting): (invocation: Invocation) => void {
  return ({ words, scene, span, program }) => {
    scene.report.effect(REPOSITORY_CODE);
    const operands: Word[] = [];
    let writes = write === undefined;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) break;
      const text = beginningOf(word);
      const name = text.replace(/=.*$/s, '');
      if (!text.startsWith('-') && textOf(word) === undefined && text === '' && word.kind === 'dynamic')
        writes = true;
      if (check?.test(name) === true) writes = false;
      if (write?.test(name) === true) writes = true;
      if (/^(?:-o|--output-file|--outfile|--output|--cache-location)$/.test(name)) {
        const value = text.includes('=') ? literal(text.slice(name.length + 1), word.span) : words[at + 1];
        if (value !== undefined) touchWrite(scene, value);
        at += text.includes('=') ? 0 : 1;
      } else if (values.test(name) && !text.includes('=')) at += 1;
      else if (!text.startsWith('-')) operands.push(word);
      if (
        /^(?:--(?:config|plugin|parser|rulesdir|resolve-plugins-relative-to|ext-config|stylish|format|rules?dir|require)|-c|-f)$/.test(
          name,
        ) &&
        /\.?\//.test(beginningOf(words[at] ?? word))
      ) {
        scene.report.raise('warning', 'loads-code', `${program} loads code named on the line`, word.span);
        scene.report.effect({ kind: 'write-unknown' });
      }
    }
    if (!writes) return;
    scene.report.raise('warning', 'formats', 'rewrites files', span);
    for (const word of operands.length > 0 ? operands : [literal(everything, span)]) {
      const text = textOf(word);
      touchWrite(scene, word, text !== undefined && looksLikeFile(text) ? 'file' : 'tree');
    }
  };
}
