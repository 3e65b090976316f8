import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';
import { STEPS } from './budget.ts';
import { asksWhetherSet } from './command-words.ts';
import { assignTo, evaluate, evaluateName } from './evaluate.ts';
import { expandWord } from './expand.ts';
import { freshVariables } from './fresh-variables.ts';
import { forgetChanged } from './forget-changed.ts';
import { originOf } from './named-secrets.ts';
import type { Scene } from './program.ts';
import {
  forkState,
  isNumberValue,
  joinStates,
  NUMBER_VARIABLE,
  type ShellState,
  UNKNOWN_VARIABLE,
} from './state.ts';
import type { Visit } from './visit.ts';
import { beginningOf, mixOrigins, PLAIN, textsOf, type Word } from './word.ts';

type Steps = Readonly<{
  walkNode(node: ast.PipelineNode | ast.AndOr | ast.CompoundList, scene: Scene): void;
  walkStatements(statements: readonly ast.Statement[], scene: Scene): void;
  visit: Visit;
}>;

type Loop = ast.While | ast.For | ast.Select | ast.ArithmeticFor;
type Compound = Exclude<ast.CommandNode | ast.AndOr, ast.Command | ast.Redirected>;

/** Judges what holds other commands, with what each way through it does to the state. */
export function walkCompound(node: Compound, scene: Scene, steps: Steps): void {
  switch (node.type) {
    case 'AndOr':
      return walkAndOr(node, scene, steps);
    case 'Subshell':
      return steps.walkNode(node.body, { ...scene, state: forkState(scene.state) });
    case 'BraceGroup':
      return steps.walkNode(node.body, scene);
    case 'If':
      return walkIf(node, scene, steps);
    case 'While':
      return walkLoop(node, scene, steps, () => steps.walkNode(node.clause, scene));
    case 'For':
    case 'Select':
      return walkFor(node, scene, steps);
    case 'ArithmeticFor':
      steps.visit.arithmetic(node.initialize, node, scene);
      return walkLoop(node, scene, steps, () => {
        steps.visit.arithmetic(node.test, node, scene);
        steps.visit.arithmetic(node.update, node, scene);
      });
    case 'Case':
      return walkCase(node, scene, steps);
    case 'Function':
      return defineFunction(node, scene, steps);
    case 'Coproc':
      scene.report.raise('warning', 'background', 'goes on in the background', scene.spanOf(node));
      return steps.walkNode(node.body, { ...scene, state: forkState(scene.state) });
    case 'TestCommand':
      return walkTest(node.expression, scene, steps);
    case 'ArithmeticCommand':
      if (node.expression === undefined) {
        scene.report.raise('warning', 'unparseable', "arithmetic that can't be parsed", scene.spanOf(node));
      }
      return steps.visit.arithmetic(node.expression, node, scene);
  }
}

/** After `&&` the command before is taken to have succeeded; after `||` nothing is certain. */
function walkAndOr(node: ast.AndOr, scene: Scene, steps: Steps): void {
  let before = scene.state;
  let sure: ShellState | undefined;
  let happens = true;
  for (const [at, command] of node.commands.entries()) {
    if (at === 0 || node.operators[at - 1] === '&&') {
      if (node.operators[at] === '||') before = forkState(scene.state);
      if (!happens) sure ??= forkState(scene.state);
      steps.walkNode(command, scene);
      happens &&= succeeds(command);
      continue;
    }
    scene.walk.spend(STEPS.branch);
    const other = forkState(before);
    steps.walkNode(command, { ...scene, state: other });
    if (!leaves(command, scene.state)) joinStates(scene.state, other);
  }
  // `test -d web && cd web; touch a`: what comes after may stand in either place.
  if (sure !== undefined) joinStates(scene.state, sure);
}

/** `cd web || exit`: who comes after it has not gone that way. */
export function leaves(node: ast.AndOr['commands'][number], state: ShellState): boolean {
  if (node.type === 'Command') {
    const name = node.name?.value ?? '';
    return /^(?:exit|return)$/.test(name) && !state.functions.has(name);
  }
  if (node.type !== 'BraceGroup') return false;
  const last = node.body.commands.at(-1);
  return last?.command.type === 'Command' && last.background !== true && leaves(last.command, state);
}

/** Commands that people count on: after `cd web &&` they mean to be there. */
function succeeds(node: ast.AndOr['commands'][number]): boolean {
  return (
    node.type === 'Command' &&
    /^(?:cd|pushd|popd|mkdir|export|set|source|\.|true|:|echo)$/.test(node.name?.text ?? ':')
  );
}

function walkIf(node: ast.If, scene: Scene, steps: Steps): void {
  const ends: ShellState[] = [];
  const branch = (body: ast.CompoundList): void => {
    scene.walk.spend(STEPS.branch);
    const state = forkState(scene.state);
    steps.walkNode(body, { ...scene, state });
    ends.push(state);
  };
  steps.walkNode(node.clause, scene);
  branch(node.then);
  for (const other of node.elif) {
    steps.walkNode(other.clause, scene);
    branch(other.then);
  }
  if (node.else !== undefined) branch(node.else);
  for (const end of ends) joinStates(scene.state, end);
}

function walkFor(node: ast.For | ast.Select, scene: Scene, steps: Steps): void {
  const words = (node.wordlist ?? []).flatMap((word) => expandWord(word, scene, steps.visit));
  walkLoop(node, scene, steps, () => {
    const value = valueOfAll(words, node.wordlist !== undefined && node.type === 'For');
    assignTo(node.name.value, value, scene.spanOf(node), scene);
    if (node.type === 'Select') scene.state.variables.set('REPLY', UNKNOWN_VARIABLE);
  });
}

/** The one word or the finite set that a loop goes through. */
function valueOfAll(words: readonly Word[], listed: boolean) {
  const texts = words.flatMap((word) => textsOf(word) ?? []);
  const known = listed && texts.length > 0 && words.every((word) => textsOf(word) !== undefined);
  if (!known || texts.length > 16) {
    const isNumber = listed && words.length > 0 && words.every((word) => isNumberValue(word));
    const origin = mixOrigins(...words.map((word) => originOf(word)));
    const value = isNumber
      ? NUMBER_VARIABLE.value
      : { ...UNKNOWN_VARIABLE.value, beginning: sharedBeginning(words, listed) };
    return { value, origin };
  }
  const [only = ''] = texts;
  return {
    value:
      texts.length === 1 ? ({ kind: 'literal', text: only } as const) : ({ kind: 'choice', texts } as const),
    origin: PLAIN,
  };
}

/** `for f in src/*.ts`: each begins with `src/`, so none is an option. */
function sharedBeginning(words: readonly Word[], listed: boolean): string {
  const isKnown = listed && words.every(({ kind }) => kind === 'literal' || kind === 'glob');
  const [first = '', ...others] = isKnown ? words.map((word) => beginningOf(word)) : [];
  return others.reduce((shared, other) => {
    let length = 0;
    while (length < shared.length && shared[length] === other[length]) length += 1;
    return shared.slice(0, length);
  }, first);
}

/** A body may run any number of times: what it changes is unknown from its start. */
function walkLoop(node: Loop, scene: Scene, steps: Steps, enter: () => void): void {
  forgetChanged(node, scene);
  if (isEndless(node) && startsJobs(node.body, scene)) {
    scene.report.raise(
      'blocked',
      'fork-bomb',
      'a loop without end that starts processes and does not wait',
      scene.spanOf(node),
    );
  }
  enter();
  const state = forkState(scene.state);
  steps.walkNode(node.body, { ...scene, state });
  joinStates(scene.state, state);
}

/** `while true`, `until false`, `for ((;;))`: nothing but what is inside ends it. */
function isEndless(node: Loop): boolean {
  if (node.type === 'ArithmeticFor') return node.test === undefined;
  if (node.type !== 'While') return false;
  const [only, ...others] = node.clause.commands;
  const command = only?.command;
  if (command?.type === 'ArithmeticCommand') return /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command?.type !== 'Command' || others.length > 0) return false;
  return (node.kind === 'until' ? /^false$/ : /^(?:true|:)$/).test(String(command.name?.value));
}

/** A job in the background, at any depth, and no `wait`. */
function startsJobs(node: SyntaxNode, scene: Scene): boolean {
  let jobs = false;
  let waits = false;
  const look = (child: SyntaxNode): void => {
    scene.walk.spend(STEPS.perVisitedNode);
    if (child.type === 'Statement' && child.background === true) jobs = true;
    if (child.type === 'Command' && child.name?.value === 'wait') waits = true;
    forEachChild(child, look);
  };
  look(node);
  return jobs && !waits;
}

function walkCase(node: ast.Case, scene: Scene, steps: Steps): void {
  expandWord(node.word, scene, steps.visit);
  const ends: ShellState[] = [];
  for (const item of node.items) {
    scene.walk.spend(STEPS.branch);
    for (const pattern of item.pattern) expandWord(pattern, scene, steps.visit);
    const state = forkState(scene.state);
    steps.walkNode(item.body, { ...scene, state });
    ends.push(state);
  }
  for (const end of ends) joinStates(scene.state, end);
}

/** The body is judged where it is defined, for any directory and any arguments. */
function defineFunction(node: ast.Function, scene: Scene, steps: Steps): void {
  const name = node.name.value;
  const { report, state } = scene;
  report.raise('warning', 'defines-function', `defines a function: ${name.slice(0, 40)}`, scene.spanOf(node));
  if (callsItself(node.body, name, scene)) {
    report.raise('blocked', 'fork-bomb', 'a function that starts itself again and again', scene.spanOf(node));
  }
  state.functions.add(name);
  const unknown = [...state.variables.keys()].map((key) => [key, UNKNOWN_VARIABLE] as const);
  const variables = new Map([...unknown, ...freshVariables(scene)]);
  const inside: ShellState = { ...forkState(state), cwd: undefined, variables, isOpen: true };
  steps.walkNode(node.body, { ...scene, state: inside });
}

/** In a pipeline or in the background: recursion that multiplies. */
function callsItself(node: SyntaxNode, name: string, scene: Scene, multiplies = false): boolean {
  let found = false;
  forEachChild(node, (child) => {
    scene.walk.spend(STEPS.perVisitedNode);
    const more =
      multiplies || child.type === 'Pipeline' || (child.type === 'Statement' && child.background === true);
    if (more && child.type === 'Command' && child.name?.value === name) found = true;
    else if (!found) found = callsItself(child, name, scene, more);
  });
  return found;
}

function walkTest(node: ast.TestExpression, scene: Scene, steps: Steps): void {
  switch (node.type) {
    case 'TestUnary':
      if (asksWhetherSet(node.operator, node.operand, scene)) return;
      for (const word of expandWord(node.operand, scene, steps.visit))
        if (/^-[vR]$/.test(node.operator)) evaluateName(word, scene);
      return;
    case 'TestBinary': {
      const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator);
      testOperand(node.left, isArithmetic, scene, steps);
      return testOperand(node.right, isArithmetic, scene, steps);
    }
    case 'TestLogical':
      for (const operand of node.operands) walkTest(operand, scene, steps);
      return;
    case 'TestNot':
      return walkTest(node.operand, scene, steps);
    case 'TestGroup':
      return walkTest(node.expression, scene, steps);
  }
}

function testOperand(word: ast.Word, isArithmetic: boolean, scene: Scene, steps: Steps): void {
  for (const one of expandWord(word, scene, steps.visit)) if (isArithmetic) evaluate(one, one.span, scene);
}
