import { judgeVariable } from '../../expansion/assignments.ts';
import { assignTo, evaluate, evaluateList, evaluateName, mayBeArray } from '../../expansion/evaluate.ts';
import { loadsOwnCode, noteOwnCode } from '../../expansion/own-code.ts';
import type { Invocation, EvaluationContext } from '../../program.ts';
import {
  addArrays,
  forgetVariables,
  isNumberValue,
  NUMBER_VARIABLE,
  setVariable,
  UNKNOWN_VARIABLE,
} from '../../state.ts';
import { after, beginningOf, textOf, type Value, type Word } from '../../word.ts';

/** Judges `export`, `declare` and their like: names, their values and their attributes. */
export function judgeDeclaration({ program, words, context, span }: Invocation): void {
  const { report, state } = context;
  const flags = words
    .filter((word) => /^[-+][a-zA-Z]/.test(beginningOf(word)))
    .map((word) => beginningOf(word));
  const names = words.filter((word) => !/^[-+]/.test(beginningOf(word)));
  const unknown = words.some((word) => textOf(word) === undefined && /^[-+]\w*$/.test(beginningOf(word)));
  const has = (letter: string): boolean =>
    flags.some((flag) => flag.startsWith('-') && flag.includes(letter));
  const isReference = has('n') && program !== 'export' && program !== 'readonly';
  if (unknown || isReference || has('f'))
    report.raise('warning', 'changes-names', {
      text: `uses ${program}, which changes what names mean`,
      span,
    });
  if (names.length === 0)
    report.raise('warning', 'shows-environment', { text: 'prints all variables', span });
  const exports = program === 'export' || has('x');
  for (const word of names) {
    const match = /^([A-Za-z_]\w*)(\+?=)?/.exec(beginningOf(word));
    if (match?.[1] === undefined || /^\w+\[/.test(beginningOf(word))) {
      evaluateName(word, context);
      if (match?.[1] === undefined) forgetVariables(state);
      else assignTo(match[1], UNKNOWN_VARIABLE, { span: word.span, context });
      continue;
    }
    const [whole, name, sign] = match;
    const given = sign === undefined ? undefined : after(word, whole.length);
    const value: Value = sign === '=' && given !== undefined ? given : UNKNOWN_VARIABLE.value;
    if (has('i')) makeInteger(name, given, { word, context });
    const isDeclared = has('a') || has('A');
    // A name that is new in a function has no elements yet.
    const isNew = program === 'local' && !state.arrays.has(name);
    if (given !== undefined)
      evaluateList(given, word.span, { context, isArray: isDeclared || (!isNew && mayBeArray(name, state)) });
    if (isDeclared) addArrays(state, [name]);
    // The value of a reference is used as a name later.
    if (isReference && given !== undefined) evaluateName(given, context);
    if (exports || isObeyed(name)) judgeVariable(name, value, { span: word.span, context });
    if (exports && loadsOwnCode(name, value, context)) noteOwnCode(context);
    if (sign === undefined) {
      if (program === 'local' || has('A')) setVariable(state, name, { ...UNKNOWN_VARIABLE, isMap: has('A') });
      continue;
    }
    const isPlain = flags.every((flag) => /^-[xgr]+$/.test(flag));
    const isNumber = isNumberValue(value);
    const kept = isPlain ? bare(value) : (isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE).value;
    const set = { value: isReference ? UNKNOWN_VARIABLE.value : kept, origin: word.origin, isMap: has('A') };
    assignTo(name, set, { span: word.span, context });
  }
}

/** With `-i` a value is arithmetic, at every assignment. */
function makeInteger(
  name: string,
  value: Word | undefined,
  { word, context }: Readonly<{ word: Word; context: EvaluationContext }>,
): void {
  const { state, report } = context;
  state.integers = new Set([...state.integers, name]);
  if (value !== undefined) evaluate(value, value.span, context);
  // Code that was judged before it was known to be one may run again.
  if (state.functions.size > 0 || state.isOpen)
    report.raise('warning', 'changes-names', {
      text: 'makes a variable evaluate its values as arithmetic',
      span: word.span,
    });
}

/** Variables that the shell or programs obey. */
export function isObeyed(name: string): boolean {
  return /^(?:PATH|IFS|PS4|LD_.*|BASH_.*|ENV|PROMPT_COMMAND|CDPATH|GLOBIGNORE|HISTFILE|HISTCONTROL|GIT_.*)$/.test(
    name,
  );
}

function bare(value: Value): Value {
  if (value.kind === 'literal') return { kind: 'literal', text: value.text };
  return isNumberValue(value) ? NUMBER_VARIABLE.value : UNKNOWN_VARIABLE.value;
}
