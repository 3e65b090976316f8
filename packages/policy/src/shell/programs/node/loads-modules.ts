import type { Options } from '../../options.ts';
import { type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';

/** `./x`, `/x`, `x.mjs`: a file. A name without a leading dot or slash is an installed package, or a setting. */
const PATH = /^(?:\.{0,2}\/|~|file:)|\.(?:[cm]?[jt]sx?|py|rb|php|so|dylib)$/;

/** A reporter, a plugin, an environment: code that a checker loads from a file of the line. */
export function loadsModules(values: readonly (Word | undefined)[], context: EvaluationContext): void {
  for (const value of values) {
    if (value === undefined || !(textOf(value) === undefined || PATH.test(beginningOf(value)))) continue;
    context.report.raise('warning', 'loads-code', { text: 'loads code named on the line', span: value.span });
    context.report.effect(WRITES_UNKNOWN);
  }
}

/** The values of these options, separated by spaces as in `--reporter -R`. */
export function valuesOf(options: Options, names: string): readonly (Word | undefined)[] {
  const wanted = names.split(' ');
  return options.given.filter(({ name }) => wanted.includes(name)).map(({ value }) => value);
}
