import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';
import { isAssignment } from './arithmetic.ts';
import { STEPS } from '../budget.ts';
import type { EvaluationContext } from '../program.ts';
import {
  addArrays,
  forgetVariables,
  isHarmlessNumber,
  isNumberText,
  NUMBER_VARIABLE,
  type ShellState,
  UNKNOWN_VARIABLE,
} from '../state.ts';

/** Builtins that change directory, or run what can't be analysed here. */
const MOVING = /^(?:cd|pushd|popd|eval|source|\.|builtin|command)$/;
const RUNNING = /^(?:eval|source|\.|builtin|command|trap)$/;
/** Builtins that set variables by name. */
const SETTING = /^(?:read|mapfile|readarray|getopts|declare|typeset|local|export|readonly|unset|wait)$/;

/** Every variable that a part of the tree may set becomes unknown, or some number. */
export function forgetChanged(node: SyntaxNode, context: EvaluationContext): void {
  const { state, walk } = context;
  forEachChild(node, (child) => {
    walk.spend(STEPS.perVisitedNode);
    if (child.type === 'Subshell' || child.type === 'CommandExpansion') return;
    forgetSet(child, state);
    if (child.type === 'Command') forgetByCommand(child, state);
    forgetChanged(child, context);
  });
}

function forgetSet(node: SyntaxNode, state: ShellState): void {
  // `m[$k]=1` leaves the attributes of a map unchanged.
  const isInMap =
    node.type === 'Assignment' && node.index !== undefined && state.variables.get(node.name)?.isMap === true;
  if (node.type === 'Assignment' && hasElements(node)) addArrays(state, [node.name]);
  if (node.type === 'Assignment' && !isInMap) forget(node.name, isNumberWord(node.value), state);
  if (node.type === 'For' || node.type === 'Select') forget(node.name.value, false, state);
  if (node.type === 'FileDescriptorVariable') forget(node.name, true, state);
  if (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator))
    forgetTarget(node.operand, state);
  if (node.type === 'ArithmeticBinary' && isAssignment(node.operator)) forgetTarget(node.left, state);
  const operation = node.type === 'ParameterExpansion' ? node.operation : undefined;
  if (node.type === 'ParameterExpansion' && operation?.type === 'Default' && operation.operator.endsWith('='))
    forget(node.parameter, false, state);
}

function forgetTarget(target: ast.ArithmeticExpression, state: ShellState): void {
  if (target.type === 'ArithmeticWord') forget(target.value, true, state);
}

/** `isNumber`: it is set to a number, so a variable that was none before becomes unknown. */
function forget(target: string, isNumber: boolean, state: ShellState): void {
  const name = target.replace(/\[.*$/s, '');
  const stays = isNumber && isHarmlessNumber(state.variables.get(name), state);
  state.variables.set(name, stays ? NUMBER_VARIABLE : UNKNOWN_VARIABLE);
}

/** `a=(1 2)`, `a[0]=1`. */
export function hasElements({ value, index }: ast.Assignment): boolean {
  return value.type !== 'Word' || index !== undefined;
}

/** `5`, `$((i + 1))`, `"$((i + 1))"`. */
function isNumberWord(value: ast.Assignment['value']): boolean {
  if (value.type !== 'Word') return false;
  const { parts } = value;
  if (parts === undefined) return isNumberText(value.value);
  const inner = parts.flatMap<ast.WordPart>((part) => (part.type === 'DoubleQuoted' ? part.parts : part));
  return inner.every(({ type }) => type === 'ArithmeticExpansion');
}

function forgetByCommand(node: ast.Command, state: ShellState): void {
  if (node.name === undefined) return;
  const name = node.name.text;
  const texts = node.args.map(({ text }) => text);
  const isUnknown = !/^[\w./+:@[-]+$/.test(name);
  if (isUnknown || name.includes('/') || MOVING.test(name)) state.cwd = undefined;
  const looksUp = name === 'command' && /^-[pvV]+(?: |$)/.test(texts.join(' '));
  if (isUnknown || state.functions.has(name) || (RUNNING.test(name) && !looksUp))
    return forgetVariables(state);
  if (name === 'let') for (const text of texts) forgetNames(text, true, state);
  if (SETTING.test(name)) for (const text of texts) forgetNames(text, false, state);
  const assigned = /^-v ?(\S+)/.exec(texts.join(' '))?.[1];
  if (name === 'printf' && assigned !== undefined) forgetNames(assigned, false, state);
  if (/^(?:read|mapfile|readarray)$/.test(name))
    for (const set of ['REPLY', 'MAPFILE']) forget(set, false, state);
  if (
    /^(?:declare|typeset|local|readonly|export)$/.test(name) &&
    texts.some((text) => /^["']?-\w*i/.test(text))
  )
    state.integers = new Set([...state.integers, ...texts.join(' ').split(/\W+/)]);
  if (
    /^(?:mapfile|readarray)$/.test(name) ||
    (SETTING.test(name) && texts.some((text) => /^["']?-\w*[aA]/.test(text)))
  )
    addArrays(state, texts.join(' ').split(/\W+/));
}

/** The name at the beginning of a word, or any name when that is not literal. */
function forgetNames(text: string, isNumber: boolean, state: ShellState): void {
  if (text.startsWith('-')) return;
  if (/^["']*\$/.test(text)) return forgetVariables(state);
  for (const name of text.match(isNumber ? /[A-Za-z_]\w*/g : /[A-Za-z_]\w*/) ?? [])
    forget(name, isNumber, state);
}
