import type * as ast from 'unbash';
import { assignTo, evaluate, isInteger } from './evaluate.ts';
import { expandToOne, expandWord } from './expand.ts';
import { hasElements } from './forget-changed.ts';
import { originOf } from '../paths/named-secrets.ts';
import type { EvaluationContext } from '../program.ts';
import {
  addArrays,
  forkState,
  isHarmlessNumber,
  isNumberValue,
  NUMBER_VARIABLE,
  UNKNOWN_VARIABLE,
} from '../state.ts';
import type { Visit } from '../visit.ts';
import { literal, mixOrigins, PLAIN, textOf, type Value, type Word } from '../word.ts';

/** Name and arguments of a command as the shell passes them. */
export function wordsOf(node: ast.Command, context: EvaluationContext, visit: Visit): readonly Word[] {
  const words = node.name === undefined ? [] : [...expandWord(node.name, context, visit)];
  const isTest = /^(?:test|\[)$/.test(node.name?.value ?? '');
  for (const arg of node.args) {
    if (arg.type !== 'Word') words.push(assignmentWord(arg, context, visit));
    else if (isTest && asksWhetherSet(textOf(words.at(-1)), arg, context))
      words.push(unknownText(arg, context));
    else words.push(...expandWord(arg, context, visit));
  }
  return words;
}

/** `[ -n "$TOKEN" ]`: reveals only whether a variable is set, if no surrounding shell traces. */
export function asksWhetherSet(
  operator: string | undefined,
  { text }: ast.Word,
  context: EvaluationContext,
): boolean {
  if (context.depth > 0 || /\bset\s+[-+]|xtrace/.test(context.source)) return false;
  return /^-[nz]$/.test(operator ?? '') && /^(?:"?)\$(?:\w+|\{\w+:?-?\})(?:"?)$/.test(text);
}

function unknownText(arg: ast.Word, context: EvaluationContext): Word {
  return { kind: 'dynamic', beginning: '', splits: false, span: context.spanOf(arg), origin: PLAIN };
}

/** `export a=b`: to the command it is one word. */
function assignmentWord(arg: ast.Assignment, context: EvaluationContext, visit: Visit): Word {
  const span = context.spanOf(arg);
  const value = assignedValue(arg, context, visit);
  // An argument of a command is expanded twice, the subscript of a map too.
  if (arg.index !== undefined) visit.subscript(arg.index, context);
  const isNumber = isNumberValue(value);
  const isList = arg.value.type !== 'Word';
  const sign = arg.append === true ? '+=' : '=';
  if (arg.index === undefined && value.kind === 'literal') return literal(arg.name + sign + value.text, span);
  const beginning = arg.name + sign + (value.kind === 'dynamic' ? value.beginning : '');
  return { kind: 'dynamic', beginning, splits: false, isNumber, isList, span, origin: value.origin };
}

/** The value of an assignment, with all effects of its substitutions; for an array, the origin of its elements. */
export function assignedValue(one: ast.Assignment, context: EvaluationContext, visit: Visit): Word {
  const isMap = context.state.variables.get(one.name)?.isMap === true;
  if (one.index !== undefined && isMap) expandWord(one.index, context, visit);
  else if (one.index !== undefined) visit.subscript(one.index, context);
  if (one.value.type === 'Word') return expandToOne(one.value, context, visit);
  for (const element of one.value.elements) visitElement(element, context);
  const elements = one.value.elements.flatMap((element) => expandWord(element, context, visit));
  const origin = mixOrigins(...elements.map((element) => originOf(element)));
  const isNumber = elements.every((element) => isNumberValue(element));
  return { kind: 'dynamic', beginning: '', splits: true, isNumber, span: context.spanOf(one), origin };
}

/** `a=([k]=1)`: the parser reads the subscript as a part of the word. */
function visitElement({ text, pos, end }: ast.Word, context: EvaluationContext): void {
  if (text.startsWith('['))
    context.walk.runText(`_${text}`, context.spanOf({ pos, end }), {
      ...context,
      state: forkState(context.state),
    });
}

/** `a=b` alone: the shell knows it from here on. */
export function assign(one: ast.Assignment, context: EvaluationContext, visit: Visit): void {
  const value = assignedValue(one, context, visit);
  const isKnown = one.append !== true && one.index === undefined;
  const before = context.state.variables.get(one.name);
  const isNumber = !isKnown && isNumberValue(value) && isHarmlessNumber(before, context.state);
  const kept = isKnown ? withoutPath(value) : (isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE).value;
  const origin = mixOrigins(isKnown ? PLAIN : (before?.origin ?? PLAIN), originOf(value));
  if (!isKnown && isInteger(one.name, context.state)) evaluate(value, context.spanOf(one), context);
  const isMap = one.index !== undefined && before?.isMap === true;
  if (hasElements(one)) addArrays(context.state, [one.name]);
  assignTo(one.name, { value: kept, origin, isMap }, { span: context.spanOf(one), context });
}

function withoutPath(word: Word): Value {
  const { span: _span, origin: _origin, ...value } = word;
  return value;
}
