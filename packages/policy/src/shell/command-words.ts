import type * as ast from 'unbash';
import { judgeShellVariable } from './assignments.ts';
import { expandToOne, expandWord } from './expand.ts';
import { originOf } from './named-secrets.ts';
import type { Scene } from './program.ts';
import { setVariable, UNKNOWN_VARIABLE } from './state.ts';
import type { Visit } from './visit.ts';
import { literal, mixOrigins, PLAIN, textOf, type Value, type Word } from './word.ts';

/** Name and arguments of a command as the shell hands them on. */
export function wordsOf(node: ast.Command, scene: Scene, visit: Visit): readonly Word[] {
  const words = node.name === undefined ? [] : [...expandWord(node.name, scene, visit)];
  const isTest = /^(?:test|\[)$/.test(node.name?.value ?? '');
  for (const arg of node.args) {
    if (arg.type !== 'Word') words.push(assignmentWord(arg, scene, visit));
    else if (isTest && asksWhetherSet(textOf(words.at(-1)), arg, scene)) words.push(unknownText(arg, scene));
    else words.push(...expandWord(arg, scene, visit));
  }
  return words;
}

/** `[ -n "$TOKEN" ]`: tells no more of a variable than whether it is there, if no shell around it traces. */
export function asksWhetherSet(operator: string | undefined, { text }: ast.Word, scene: Scene): boolean {
  if (scene.depth > 0 || /\bset\s+[-+]|xtrace/.test(scene.source)) return false;
  return /^-[nz]$/.test(operator ?? '') && /^(?:"?)\$(?:\w+|\{\w+:?-?\})(?:"?)$/.test(text);
}

function unknownText(arg: ast.Word, scene: Scene): Word {
  return { kind: 'dynamic', beginning: '', splits: false, span: scene.spanOf(arg), origin: PLAIN };
}

/** `export a=b`: to the command it is one word. */
function assignmentWord(arg: ast.Assignment, scene: Scene, visit: Visit): Word {
  const span = scene.spanOf(arg);
  const value = assignedValue(arg, scene, visit);
  const isPlain = arg.index === undefined && arg.append !== true;
  if (isPlain && value.kind === 'literal') return literal(`${arg.name}=${value.text}`, span);
  return { kind: 'dynamic', beginning: `${arg.name}=`, splits: false, span, origin: value.origin };
}

/** The value of an assignment, with all that its substitutions do; of an array, where its elements come from. */
export function assignedValue(one: ast.Assignment, scene: Scene, visit: Visit): Word {
  if (one.index !== undefined) visit.subscript(one.index, scene);
  if (one.value.type === 'Word') return expandToOne(one.value, scene, visit);
  const elements = one.value.elements.flatMap((element) => expandWord(element, scene, visit));
  const origin = mixOrigins(...elements.map((element) => originOf(element)));
  return { kind: 'dynamic', beginning: '', splits: true, span: scene.spanOf(one), origin };
}

/** `a=b` alone: the shell knows it from here on. */
export function assign(one: ast.Assignment, scene: Scene, visit: Visit): void {
  const value = assignedValue(one, scene, visit);
  judgeShellVariable(one.name, scene.spanOf(one), scene);
  const isKnown = one.append !== true && one.index === undefined;
  const kept: Value = isKnown ? withoutPlace(value) : UNKNOWN_VARIABLE.value;
  const before = isKnown ? PLAIN : (scene.state.variables.get(one.name)?.origin ?? PLAIN);
  setVariable(scene.state, one.name, { value: kept, origin: mixOrigins(before, originOf(value)) });
}

function withoutPlace(word: Word): Value {
  const { span: _span, origin: _origin, ...value } = word;
  return value;
}
