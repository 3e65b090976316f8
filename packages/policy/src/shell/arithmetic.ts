import type * as ast from 'unbash';
import { judgeShellVariable } from './assignments.ts';
import { STEPS } from './budget.ts';
import { expandWord } from './expand.ts';
import type { Scene } from './program.ts';
import { NUMBER_VARIABLE } from './state.ts';
import type { Visit } from './visit.ts';
import { lengthOf, textsOf } from './word.ts';

/** Arithmetic evaluates the values of its variables again, and a value `a[$(id)]` runs `id`. */
export function visitArithmetic(
  expression: ast.ArithmeticExpression | undefined,
  place: ast.SyntaxNode,
  scene: Scene,
  visit: Visit,
): void {
  if (expression === undefined) return;
  scene.walk.spend(STEPS.perVisitedNode);
  switch (expression.type) {
    case 'ArithmeticBinary':
      visitArithmetic(expression.left, place, scene, visit);
      if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(expression.operator)) becomesNumber(expression.left, place, scene);
      return visitArithmetic(expression.right, place, scene, visit);
    case 'ArithmeticUnary':
      if (expression.operator === '++' || expression.operator === '--')
        becomesNumber(expression.operand, place, scene);
      return visitArithmetic(expression.operand, place, scene, visit);
    case 'ArithmeticTernary':
      for (const one of [expression.test, expression.consequent, expression.alternate]) {
        visitArithmetic(one, place, scene, visit);
      }
      return;
    case 'ArithmeticGroup':
      return visitArithmetic(expression.expression, place, scene, visit);
    case 'ArithmeticCommandExpansion':
      scene.report.raise('warning', 'substitution', 'uses what another command prints', scene.spanOf(place));
      visit.script(expression.script, place, scene);
      return;
    case 'ArithmeticWord': {
      const { value, parts, pos, end } = expression;
      if (parts !== undefined)
        expandWord({ type: 'Word', text: value, value, pos, end, parts }, scene, visit);
      if (parts === undefined && !/^(?:[\w#@.]+|\w+\[\w+\])?$/.test(value)) {
        scene.report.raise('warning', 'unparseable', "arithmetic that can't be parsed", scene.spanOf(place));
      }
      checkNames(value, place, scene);
    }
  }
}

/** `${a[index]}` and `${a:offset}` are arithmetic too. */
export function visitSubscript(index: ast.Word, scene: Scene, visit: Visit): void {
  const words = expandWord(index, scene, visit);
  checkNames(words.flatMap((word) => textsOf(word) ?? []).join(' '), index, scene);
  checkNames(index.text, index, scene);
}

function becomesNumber(target: ast.ArithmeticExpression, place: ast.SyntaxNode, scene: Scene): void {
  if (target.type !== 'ArithmeticWord') return;
  scene.state.variables.set(target.value, NUMBER_VARIABLE);
  judgeShellVariable(target.value, scene.spanOf(place), scene);
}

function checkNames(text: string, place: ast.SyntaxNode, scene: Scene): void {
  if (/`|\$\(/.test(text)) {
    scene.report.raise(
      'dangerous',
      'arithmetic-executes',
      'arithmetic that runs a command',
      scene.spanOf(place),
    );
  }
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) {
    const known = scene.state.variables.get(name);
    if (known === undefined || known === NUMBER_VARIABLE) continue;
    const texts = textsOf(known.value);
    scene.walk.spend(STEPS.item + lengthOf(texts ?? []) * STEPS.perCharacter);
    if (texts?.every((one) => /^-?\w*$/.test(one)) === true) continue;
    for (const one of texts ?? []) {
      if (!/`|\$\(/.test(one)) continue;
      scene.report.raise(
        'dangerous',
        'arithmetic-executes',
        'arithmetic that runs a command',
        scene.spanOf(place),
      );
      scene.walk.runText(`: ${one}`, scene.spanOf(place), scene);
    }
    scene.report.raise('warning', 'arithmetic-value', `evaluates the value of ${name}`, scene.spanOf(place));
  }
}
