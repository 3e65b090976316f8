import { type Invocation, REPOSITORY_CODE } from '../../program.ts';
import { touchHanded } from '../../paths/named-secrets.ts';
import { looksLikeFile } from '../../paths/path-words.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, textOf } from '../../word.ts';

export type Formatting = Readonly<{
  /** Options that make it only check; it writes without them. */
  check: RegExp | undefined;
  /** Options or first words that make it write; it only checks without them. */
  write: RegExp | undefined;
  /** Paths it changes when none is given. Default `.`. */
  everything?: string;
}>;

/** Options whose value may be code to load: a path, not the name of a setting. */
const LOADS =
  /^(?:--(?:config|plugin|parser|rulesdir|resolve-plugins-relative-to|ext-config|format|formatter)|-c|-f)$/;

/** A path, or a program with an unusual name. */
function isCode(text: string | undefined): boolean {
  if (text === undefined) return true;
  return text.includes('/') || (/\.[cm]?[jt]s$/.test(text) && !OWN_SETTINGS.test(text));
}

const OWN_SETTINGS = /^\.?(?:eslint|prettier|stylelint|markdownlint|xo|oxlint|biome)(?:rc|\.config|-)/;

/** Judges a linter or formatter by the options its rule lists: it checks the given files, or rewrites them. */
export function formats({ check, write, everything = '.' }: Formatting): (invocation: Invocation) => void {
  return ({ options, context, span, program }) => {
    context.report.effect(REPOSITORY_CODE);
    touchHanded(options.operands, context);
    let writes = write === undefined;
    for (const { name, value, word } of options.given) {
      if (check?.test(name) === true) writes = false;
      if (write?.test(name) === true) writes = true;
      const folder = name === '--rulesdir' || name === '--resolve-plugins-relative-to';
      if (!LOADS.test(name) || value === undefined || !(folder || isCode(textOf(value)))) continue;
      context.report.raise('warning', 'loads-code', {
        text: `makes ${program} load code named on the line`,
        span: word.span,
      });
      context.report.effect({ kind: 'write-unknown' });
    }
    const [verb] = options.operands;
    const isVerb = verb !== undefined && write?.test(textOf(verb) ?? '') === true;
    const unknown = options.operands.some((word) => word.kind === 'dynamic' && beginningOf(word) === '');
    if (!writes && !isVerb && !unknown) return;
    context.report.raise('warning', 'formats', { text: 'rewrites files', span });
    const files = isVerb ? options.operands.slice(1) : options.operands;
    for (const word of files.length > 0 ? files : [literal(everything, span)]) {
      const text = textOf(word);
      touchWrite(context, word, { scope: text !== undefined && looksLikeFile(text) ? 'file' : 'tree' });
    }
  };
}
