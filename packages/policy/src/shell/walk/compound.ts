import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';
import { STEPS } from '../budget.ts';
import { type Steps, walkAndOr } from './and-or.ts';
import { asksWhetherSet } from '../expansion/command-words.ts';
import { assignTo, evaluate, evaluateName } from '../expansion/evaluate.ts';
import { expandWord } from '../expansion/expand.ts';
import { freshVariables } from '../expansion/fresh-variables.ts';
import { forgetChanged } from '../expansion/forget-changed.ts';
import { originOf } from '../paths/named-secrets.ts';
import type { EvaluationContext } from '../program.ts';
import {
  forkState,
  isNumberValue,
  joinStates,
  NUMBER_VARIABLE,
  type ShellState,
  UNKNOWN_VARIABLE,
} from '../state.ts';
import { beginningOf, mixOrigins, PLAIN, textsOf, type Word } from '../word.ts';

type Loop = ast.While | ast.For | ast.Select | ast.ArithmeticFor;
type Compound = Exclude<ast.CommandNode | ast.AndOr, ast.Command | ast.Redirected>;

/** Judges compound commands, with the effect of each branch on the state. */
export function walkCompound(node: Compound, context: EvaluationContext, steps: Steps): void {
  switch (node.type) {
    case 'AndOr':
      return walkAndOr(node, context, steps);
    case 'Subshell':
      return steps.walkNode(node.body, { ...context, state: forkState(context.state) });
    case 'BraceGroup':
      return steps.walkNode(node.body, context);
    case 'If':
      return walkIf(node, context, steps);
    case 'While':
      return walkLoop(node, context, { steps, enter: () => steps.walkNode(node.clause, context) });
    case 'For':
    case 'Select':
      return walkFor(node, context, steps);
    case 'ArithmeticFor':
      steps.visit.arithmetic(node.initialize, node, context);
      return walkLoop(node, context, {
        steps,
        enter: () => {
          steps.visit.arithmetic(node.test, node, context);
          steps.visit.arithmetic(node.update, node, context);
        },
      });
    case 'Case':
      return walkCase(node, context, steps);
    case 'Function':
      return defineFunction(node, context, steps);
    case 'Coproc':
      context.report.raise('warning', 'background', {
        text: 'continues in the background',
        span: context.spanOf(node),
      });
      return steps.walkNode(node.body, { ...context, state: forkState(context.state) });
    case 'TestCommand':
      return walkTest(node.expression, context, steps);
    case 'ArithmeticCommand':
      if (node.expression === undefined) {
        context.report.raise('warning', 'unparseable', {
          text: "contains arithmetic that can't be parsed",
          span: context.spanOf(node),
        });
      }
      return steps.visit.arithmetic(node.expression, node, context);
  }
}

function walkIf(node: ast.If, context: EvaluationContext, steps: Steps): void {
  const ends: ShellState[] = [];
  const branch = (body: ast.CompoundList): void => {
    context.walk.spend(STEPS.branch);
    const state = forkState(context.state);
    steps.walkNode(body, { ...context, state });
    ends.push(state);
  };
  steps.walkNode(node.clause, context);
  branch(node.then);
  for (const other of node.elif) {
    steps.walkNode(other.clause, context);
    branch(other.then);
  }
  if (node.else !== undefined) branch(node.else);
  for (const end of ends) joinStates(context.state, end);
}

function walkFor(node: ast.For | ast.Select, context: EvaluationContext, steps: Steps): void {
  const words = (node.wordlist ?? []).flatMap((word) => expandWord(word, context, steps.visit));
  walkLoop(node, context, {
    steps,
    enter: () => {
      const value = valueOfAll(words, node.wordlist !== undefined && node.type === 'For');
      assignTo(node.name.value, value, { span: context.spanOf(node), context });
      if (node.type === 'Select') context.state.variables.set('REPLY', UNKNOWN_VARIABLE);
    },
  });
}

/** The one word or the finite set that a loop iterates over. */
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

/** A body may run any number of times: variables it changes are unknown from its start. */
function walkLoop(
  node: Loop,
  context: EvaluationContext,
  { steps, enter }: Readonly<{ steps: Steps; enter: () => void }>,
): void {
  forgetChanged(node, context);
  if (isEndless(node) && startsJobs(node.body, context)) {
    context.report.raise('blocked', 'fork-bomb', {
      text: 'starts processes in an endless loop without waiting',
      span: context.spanOf(node),
    });
  }
  enter();
  const state = forkState(context.state);
  steps.walkNode(node.body, { ...context, state });
  joinStates(context.state, state);
}

/** `while true`, `until false`, `for ((;;))`: only its body can end it. */
function isEndless(node: Loop): boolean {
  if (node.type === 'ArithmeticFor') return node.test === undefined;
  if (node.type !== 'While') return false;
  const [only, ...others] = node.clause.commands;
  const command = only?.command;
  if (command?.type === 'ArithmeticCommand') return /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command?.type !== 'Command' || others.length > 0) return false;
  return (node.kind === 'until' ? /^false$/ : /^(?:true|:)$/).test(String(command.name?.value));
}

/** A background job at any depth, without `wait`. */
function startsJobs(node: SyntaxNode, context: EvaluationContext): boolean {
  let jobs = false;
  let waits = false;
  const inspect = (child: SyntaxNode): void => {
    context.walk.spend(STEPS.perVisitedNode);
    if (child.type === 'Statement' && child.background === true) jobs = true;
    if (child.type === 'Command' && child.name?.value === 'wait') waits = true;
    forEachChild(child, inspect);
  };
  inspect(node);
  return jobs && !waits;
}

function walkCase(node: ast.Case, context: EvaluationContext, steps: Steps): void {
  expandWord(node.word, context, steps.visit);
  const ends: ShellState[] = [];
  for (const item of node.items) {
    context.walk.spend(STEPS.branch);
    for (const pattern of item.pattern) expandWord(pattern, context, steps.visit);
    const state = forkState(context.state);
    steps.walkNode(item.body, { ...context, state });
    ends.push(state);
  }
  for (const end of ends) joinStates(context.state, end);
}

/** The body is judged where it is defined, for any directory and any arguments. */
function defineFunction(node: ast.Function, context: EvaluationContext, steps: Steps): void {
  const name = node.name.value;
  const { report, state } = context;
  report.raise('warning', 'defines-function', {
    text: `defines a function: ${name.slice(0, 40)}`,
    span: context.spanOf(node),
  });
  if (callsItself(node.body, name, { context })) {
    report.raise('blocked', 'fork-bomb', {
      text: 'defines a function that starts itself over and over (fork bomb)',
      span: context.spanOf(node),
    });
  }
  state.functions.add(name);
  const unknown = [...state.variables.keys()].map((key) => [key, UNKNOWN_VARIABLE] as const);
  const variables = new Map([...unknown, ...freshVariables(context)]);
  const inside: ShellState = { ...forkState(state), cwd: undefined, variables, isOpen: true };
  steps.walkNode(node.body, { ...context, state: inside });
}

/** In a pipeline or in the background: recursion that multiplies. */
function callsItself(
  node: SyntaxNode,
  name: string,
  { context, multiplies = false }: Readonly<{ context: EvaluationContext; multiplies?: boolean }>,
): boolean {
  let found = false;
  forEachChild(node, (child) => {
    context.walk.spend(STEPS.perVisitedNode);
    const more =
      multiplies || child.type === 'Pipeline' || (child.type === 'Statement' && child.background === true);
    if (more && child.type === 'Command' && child.name?.value === name) found = true;
    else if (!found) found = callsItself(child, name, { context, multiplies: more });
  });
  return found;
}

function walkTest(node: ast.TestExpression, context: EvaluationContext, steps: Steps): void {
  switch (node.type) {
    case 'TestUnary':
      if (asksWhetherSet(node.operator, node.operand, context)) return;
      for (const word of expandWord(node.operand, context, steps.visit))
        if (/^-[vR]$/.test(node.operator)) evaluateName(word, context);
      return;
    case 'TestBinary': {
      const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator);
      testOperand(node.left, isArithmetic, { context, steps });
      return testOperand(node.right, isArithmetic, { context, steps });
    }
    case 'TestLogical':
      for (const operand of node.operands) walkTest(operand, context, steps);
      return;
    case 'TestNot':
      return walkTest(node.operand, context, steps);
    case 'TestGroup':
      return walkTest(node.expression, context, steps);
  }
}

function testOperand(
  word: ast.Word,
  isArithmetic: boolean,
  { context, steps }: Readonly<{ context: EvaluationContext; steps: Steps }>,
): void {
  for (const one of expandWord(word, context, steps.visit))
    if (isArithmetic) evaluate(one, one.span, context);
}
