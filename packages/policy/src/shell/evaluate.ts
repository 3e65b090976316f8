import type { Level, Span } from '@signalbox/core';
import { judgeShellVariable } from './assignments.ts';
import { STEPS } from './budget.ts';
import type { Scene } from './program.ts';
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
} from './state.ts';
import { guessOf, lengthOf, textsOf, type Value, type Word } from './word.ts';

/*
 * The only way into arithmetic. Bash takes the value of a variable for an expression again, follows names in it, and
 * expands what stands in a subscript: with the value `a[$(id)]` it runs `id`. So whatever becomes a number goes through
 * `evaluate`, and whatever is taken for a name through `evaluateName`.
 */

/** Names, numbers, operators, subscripts and quotes, but no expansion. */
const EXPRESSION = /^[\w\s+\-*/%()<>=!&|^~?:,#@.[\]"]*$/;
const ASSIGNMENT = /(?:^|[^=!<>])=(?!=)|<<=|>>=|\+\+|--/;

/** Variables that bash sets to text: the last word, what was read, what matched. */
export const SET_BY_BASH =
  /^(?:_|REPLY|MAPFILE|OPTARG|OLDPWD|DIRSTACK|FUNCNAME|BASH_(?:REMATCH|COMMAND|EXECUTION_STRING|ARGV0?|SOURCE|ALIASES|CMDS)|COMP_\w+|COMPREPLY|READLINE_\w+)$/;

/** Bash evaluates what is assigned to them. */
const INTEGERS = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|BASHPID|LINENO|EPOCHSECONDS|BASH_SUBSHELL)$/;

/** A value is evaluated as arithmetic. */
export function evaluate(value: Value, span: Span, scene: Scene): void {
  evaluateValue(value, 'a value', { span, scene, seen: new Set() });
}

/** A text is evaluated as arithmetic, such as `k`, `a[k]` or `1 + k`. */
export function evaluateText(text: string, span: Span, scene: Scene): void {
  evaluateExpression(text, { span, scene, seen: new Set() });
}

/** A word is taken for a name: of `a[$(id)]` the subscript is evaluated. */
export function evaluateName(word: Word, scene: Scene, unknown: Level = 'warning'): void {
  // Unquoted, `a[1]` is a pattern.
  const texts =
    word.kind === 'glob' && /^\w+\[[\w+*-]*\]$/.test(word.pattern) ? [word.pattern] : textsOf(word);
  if (texts === undefined) {
    // `a[$i]`, where `$i` is a number.
    if (word.kind === 'dynamic' && word.isNumber === true && /^\w+\[[\s+*-]*\]$/.test(guessOf(word))) return;
    scene.report.raise(unknown, 'dynamic-name', "a name that can't be known", word.span);
    raiseCommandIn(guessOf(word), word.span, scene);
    return;
  }
  for (const text of texts) {
    const subscript = /^[A-Za-z_]\w*\[(.*)\]/s.exec(text)?.[1];
    if (subscript !== undefined) evaluateText(subscript, word.span, scene);
    else if (!/^[\w*@#?!$-]*$/.test(text)) raiseUnknown('a name', word.span, scene);
  }
}

/** Arrays of bash itself. */
const ARRAYS = /^(?:DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|MAPFILE|COPROC|COMPREPLY|COMP_WORDS|BASH_[A-Z]+)$/;

/** Whether a name has elements, or may have them. */
export function mayBeArray(name: string, { arrays, isOpen }: ShellState): boolean {
  return isOpen || arrays.has(name) || ARRAYS.test(name);
}

/**
 * What a declaration gives an array: bash expands a list, `(x $(id))`, whatever quotes stand around it. Of other names it
 * leaves one alone, so an unknown value matters for arrays only.
 */
export function evaluateList(value: Value, span: Span, scene: Scene, isArray: boolean): void {
  if (value.kind === 'dynamic' && value.isList === true) return;
  const texts = textsOf(value);
  for (const text of texts ?? [])
    if (text.startsWith('('))
      scene.walk.runText(`x=${text}`, span, { ...scene, state: forkState(scene.state) });
  if (texts !== undefined || !isArray || isNumberValue(value)) return;
  const { beginning } = { beginning: '', ...value };
  if (beginning !== '' && !beginning.startsWith('(')) return;
  raiseCommandIn(guessOf(value), span, scene);
  raiseUnknown('what may be a list', span, scene);
}

/** Sets a variable, as the shell does for an assignment, a loop or a builtin. */
export function assignTo(name: string, variable: Variable, span: Span, scene: Scene): void {
  judgeShellVariable(name, span, scene);
  const { state } = scene;
  if (!isInteger(name, state)) return setVariable(state, name, variable);
  evaluateValue(variable.value, `what is assigned to ${name}`, { span, scene, seen: new Set() });
  setVariable(state, name, NUMBER_VARIABLE);
}

export function isInteger(name: string, state: ShellState): boolean {
  return INTEGERS.test(name) || state.integers.has(name);
}

/**
 * After arithmetic has set it. Not `isCertain`: it may not have come to that, by `&&` or by an error before; then what
 * was no number stays what it was.
 */
export function becomesNumber(name: string, isCertain: boolean, span: Span, scene: Scene): void {
  judgeShellVariable(name, span, scene);
  const { state } = scene;
  const bracket = name.indexOf('[');
  const whole = bracket < 0 ? name : name.slice(0, bracket);
  const before = state.variables.get(whole);
  const isNumber = isHarmlessNumber(before, state) || (isCertain && bracket < 0 && before === undefined);
  setVariable(state, whole, isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE);
}

type Evaluation = Readonly<{ span: Span; scene: Scene; seen: Set<string> }>;

function evaluateValue(value: Value, what: string, evaluation: Evaluation): void {
  const { span, scene } = evaluation;
  const texts = value.kind === 'glob' ? [value.pattern] : textsOf(value);
  scene.walk.spend(STEPS.item + lengthOf(texts ?? []) * STEPS.perCharacter);
  for (const text of texts ?? []) evaluateExpression(text, evaluation);
  if (texts !== undefined || isNumberValue(value)) return;
  raiseCommandIn(guessOf(value), span, scene);
  raiseUnknown(what, span, scene);
}

function evaluateExpression(text: string, evaluation: Evaluation): void {
  const { span, scene } = evaluation;
  if (isNumberText(text)) return;
  if (raiseCommandIn(text, span, scene)) return;
  if (!EXPRESSION.test(text)) return raiseUnknown('a value', span, scene);
  if (ASSIGNMENT.test(text)) return scene.walk.runText(`((${text}))`, span, scene);
  for (const name of text.match(/(?<![\w#.])[A-Za-z_]\w*/g) ?? []) evaluateVariable(name, evaluation);
}

function evaluateVariable(name: string, evaluation: Evaluation): void {
  const { scene, span, seen } = evaluation;
  const known = scene.state.variables.get(name);
  if (seen.has(name)) return;
  seen.add(name);
  if (known === undefined) {
    if (scene.state.isOpen || SET_BY_BASH.test(name)) raiseUnknown(`the value of ${name}`, span, scene);
    return;
  }
  evaluateValue(known.value, `the value of ${name}`, evaluation);
}

function raiseCommandIn(text: string, span: Span, scene: Scene): boolean {
  if (!/`|\$\(/.test(text)) return false;
  scene.report.raise('dangerous', 'arithmetic-executes', 'arithmetic that runs a command', span);
  scene.walk.runText(`: ${text}`, span, scene);
  return true;
}

function raiseUnknown(what: string, span: Span, { report }: Scene): void {
  report.raise('warning', 'arithmetic-value', `evaluates ${what}`, span);
}
