import type { Level, Span } from '@signalbox/core';
import { judgeShellVariable } from './assignments.ts';
import { STEPS } from '../budget.ts';
import type { EvaluationContext } from '../program.ts';
import {
  forkState,
  isHarmlessNumber,
  isNumberValue,
  isNumberText,
  NUMBER_VARIABLE,
  setVariable,
  type ShellState,
  UNKNOWN_VARIABLE,
  type Variable,
} from '../state.ts';
import { guessOf, lengthOf, textsOf, type Value, type Word } from '../word.ts';

/*
 * The only entry to arithmetic. Bash evaluates the value of a variable as an expression again, follows names in it, and
 * expands subscripts: with the value `a[$(id)]` it runs `id`. So every text that becomes a number goes through
 * `evaluate`, and every text used as a name through `evaluateName`.
 */

/** Names, numbers, operators, subscripts and quotes, but no expansion. */
const EXPRESSION = /^[\w\s+\-*/%()<>=!&|^~?:,#@.[\]"]*$/;
const ASSIGNMENT = /(?:^|[^=!<>])=(?!=)|<<=|>>=|\+\+|--/;

/** Variables that bash sets to text: the last word, what was read, what matched. */
export const SET_BY_BASH =
  /^(?:_|REPLY|MAPFILE|OPTARG|OLDPWD|DIRSTACK|FUNCNAME|BASH_(?:REMATCH|COMMAND|EXECUTION_STRING|ARGV0?|SOURCE|ALIASES|CMDS)|COMP_\w+|COMPREPLY|READLINE_\w+)$/;

/** Bash evaluates values assigned to them. */
const INTEGERS = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|BASHPID|LINENO|EPOCHSECONDS|BASH_SUBSHELL)$/;

/** A value is evaluated as arithmetic. */
export function evaluate(value: Value, span: Span, context: EvaluationContext): void {
  evaluateValue(value, 'a value', { span, context, seen: new Set() });
}

/** A text is evaluated as arithmetic, such as `k`, `a[k]` or `1 + k`. */
export function evaluateText(text: string, span: Span, context: EvaluationContext): void {
  evaluateExpression(text, { span, context, seen: new Set() });
}

/** A word is used as a name: the subscript of `a[$(id)]` is evaluated. */
export function evaluateName(
  word: Word,
  context: EvaluationContext,
  { unknown = 'warning' }: Readonly<{ unknown?: Level }> = {},
): void {
  // Unquoted, `a[1]` is a pattern.
  const texts =
    word.kind === 'glob' && /^\w+\[[\w+*-]*\]$/.test(word.pattern) ? [word.pattern] : textsOf(word);
  if (texts === undefined) {
    // `a[$i]`, where `$i` is a number.
    if (word.kind === 'dynamic' && word.isNumber === true && /^\w+\[[\s+*-]*\]$/.test(guessOf(word))) return;
    context.report.raise(unknown, 'dynamic-name', {
      text: "uses a variable name that can't be determined",
      span: word.span,
    });
    raiseCommandIn(guessOf(word), word.span, context);
    return;
  }
  for (const text of texts) {
    const subscript = /^[A-Za-z_]\w*\[(.*)\]/s.exec(text)?.[1];
    if (subscript !== undefined) evaluateText(subscript, word.span, context);
    else if (!/^[\w*@#?!$-]*$/.test(text)) raiseUnknown('a name', word.span, context);
  }
}

/** Bash's own arrays. */
const ARRAYS = /^(?:DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|MAPFILE|COPROC|COMPREPLY|COMP_WORDS|BASH_[A-Z]+)$/;

/** Whether a name has elements, or may have them. */
export function mayBeArray(name: string, { arrays, isOpen }: ShellState): boolean {
  return isOpen || arrays.has(name) || ARRAYS.test(name);
}

/**
 * The value of a declared array: bash expands a list, `(x $(id))`, in any quotes. For other names it does not, so an
 * unknown value matters for arrays only.
 */
export function evaluateList(
  value: Value,
  span: Span,
  { context, isArray }: Readonly<{ context: EvaluationContext; isArray: boolean }>,
): void {
  if (value.kind === 'dynamic' && value.isList === true) return;
  const texts = textsOf(value);
  for (const text of texts ?? [])
    if (text.startsWith('('))
      context.walk.runText(`x=${text}`, span, { ...context, state: forkState(context.state) });
  if (texts !== undefined || !isArray || isNumberValue(value)) return;
  const { beginning } = { beginning: '', ...value };
  if (beginning !== '' && !beginning.startsWith('(')) return;
  raiseCommandIn(guessOf(value), span, context);
  raiseUnknown('a value that may be an array', span, context);
}

/** Sets a variable, as the shell does for an assignment, a loop or a builtin. */
export function assignTo(
  name: string,
  variable: Variable,
  { span, context }: Readonly<{ span: Span; context: EvaluationContext }>,
): void {
  judgeShellVariable(name, span, context);
  const { state } = context;
  if (!isInteger(name, state)) return setVariable(state, name, variable);
  evaluateValue(variable.value, `the value assigned to ${name}`, { span, context, seen: new Set() });
  setVariable(state, name, NUMBER_VARIABLE);
}

export function isInteger(name: string, state: ShellState): boolean {
  return INTEGERS.test(name) || state.integers.has(name);
}

/**
 * After arithmetic has set it. Not `isCertain`: that may not have happened, by `&&` or by an earlier error; a value
 * that was no number then stays.
 */
export function becomesNumber(
  name: string,
  isCertain: boolean,
  { span, context }: Readonly<{ span: Span; context: EvaluationContext }>,
): void {
  judgeShellVariable(name, span, context);
  const { state } = context;
  const bracket = name.indexOf('[');
  const whole = bracket < 0 ? name : name.slice(0, bracket);
  const before = state.variables.get(whole);
  const isNumber = isHarmlessNumber(before, state) || (isCertain && bracket < 0 && before === undefined);
  setVariable(state, whole, isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE);
}

type Evaluation = Readonly<{ span: Span; context: EvaluationContext; seen: Set<string> }>;

function evaluateValue(value: Value, what: string, evaluation: Evaluation): void {
  const { span, context } = evaluation;
  const texts = value.kind === 'glob' ? [value.pattern] : textsOf(value);
  context.walk.spend(STEPS.item + lengthOf(texts ?? []) * STEPS.perCharacter);
  for (const text of texts ?? []) evaluateExpression(text, evaluation);
  if (texts !== undefined || isNumberValue(value)) return;
  raiseCommandIn(guessOf(value), span, context);
  raiseUnknown(what, span, context);
}

function evaluateExpression(text: string, evaluation: Evaluation): void {
  const { span, context } = evaluation;
  if (isNumberText(text)) return;
  if (raiseCommandIn(text, span, context)) return;
  if (!EXPRESSION.test(text)) return raiseUnknown('a value', span, context);
  if (ASSIGNMENT.test(text)) return context.walk.runText(`((${text}))`, span, context);
  for (const name of text.match(/(?<![\w#.])[A-Za-z_]\w*/g) ?? []) evaluateVariable(name, evaluation);
}

function evaluateVariable(name: string, evaluation: Evaluation): void {
  const { context, span, seen } = evaluation;
  const known = context.state.variables.get(name);
  if (seen.has(name)) return;
  seen.add(name);
  if (known === undefined) {
    if (context.state.isOpen || SET_BY_BASH.test(name)) raiseUnknown(`the value of ${name}`, span, context);
    return;
  }
  evaluateValue(known.value, `the value of ${name}`, evaluation);
}

function raiseCommandIn(text: string, span: Span, context: EvaluationContext): boolean {
  if (!/`|\$\(/.test(text)) return false;
  context.report.raise('dangerous', 'arithmetic-executes', {
    text: 'runs a command inside arithmetic',
    span,
  });
  context.walk.runText(`: ${text}`, span, context);
  return true;
}

function raiseUnknown(what: string, span: Span, { report }: EvaluationContext): void {
  report.raise('warning', 'arithmetic-value', { text: `evaluates ${what}`, span });
}
