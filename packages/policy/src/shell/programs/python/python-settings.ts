import { type Invocation, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import { valuesOf } from '../node/loads-modules.ts';

/** Settings files at their default paths. */
const SETTINGS =
  /^(?:\.\/)?(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?mypy\.ini|\.?pylintrc(?:\.toml)?|\.flake8|pyrightconfig\.json|\.bandit)$/;

/** Another settings file may name plugins, which are code. */
export function ownSettings(...names: readonly string[]): (invocation: Invocation) => void {
  return ({ options, context, span }) => {
    const others = options.given.some(
      ({ name, value }) => names.includes(name) && !SETTINGS.test(textOf(value) ?? ''),
    );
    if (!others) return;
    context.report.raise('warning', 'unknown-option', {
      text: 'checks with other settings, which may load code',
      span,
    });
    context.report.effect(WRITES_UNKNOWN);
  };
}

/** `ruff --config 'fix = true'`: a setting instead of a settings file. */
export function settles({ options, context, span }: Invocation): void {
  const settings = options.given.filter(({ name }) => name === '--config').map(({ value }) => textOf(value));
  if (settings.every((text) => text !== undefined && !/=/.test(text))) return;
  context.report.raise('warning', 'formats', {
    text: 'may rewrite files because of a setting on the line',
    span,
  });
  context.report.effect(WRITES_UNKNOWN);
}

/** `pytest @x`: that file contains more options. */
export function takesOptions({ options, context }: Invocation): void {
  for (const word of options.operands) {
    if (!beginningOf(word).startsWith('@')) continue;
    context.report.raise('warning', 'unknown-option', { text: 'reads options from a file', span: word.span });
    context.report.effect(WRITES_UNKNOWN);
  }
}

/** `pylint -f json:x`, `-f evil.X`: a colon names a file to write, and a dot a class to load. */
export function reportsByCode({ options, context }: Invocation): void {
  for (const word of valuesOf(options, '-f --output-format')) {
    if (word === undefined || /^[\w-]+$/.test(textOf(word) ?? '')) continue;
    context.report.raise('warning', 'loads-code', {
      text: 'loads a custom formatter, or writes to a file',
      span: word.span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
}

/** `-W error::evil.X`: the class of a warning is imported from its module. */
export function importsWarnings(filters: readonly (Word | undefined)[], context: EvaluationContext): void {
  for (const filter of filters) {
    if (filter === undefined || !(textOf(filter) ?? '::.').split(':').slice(2, 3).join('').includes('.'))
      continue;
    context.report.raise('warning', 'loads-code', {
      text: 'imports a warning class named on the line',
      span: filter.span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
}
