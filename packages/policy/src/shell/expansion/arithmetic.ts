import type { Span } from '@signalbox/core';
import type * as ast from 'unbash';
import { STEPS } from '../budget.ts';
import { becomesNumber, evaluate, evaluateText } from './evaluate.ts';
import { expandWord } from './expand.ts';
import type { EvaluationContext } from '../program.ts';
import { isNumberText } from '../state.ts';
import type { Visit } from '../visit.ts';

/** Visits an expression in the order in which bash evaluates it. */
export function visitArithmetic(
  expression: ast.ArithmeticExpression | undefined,
  place: ast.SyntaxNode,
  {
    context,
    visit,
    isCertain = true,
  }: Readonly<{ context: EvaluationContext; visit: Visit; isCertain?: boolean }>,
): void {
  if (expression === undefined) return;
  const inside = (inner: ast.ArithmeticExpression, isStillCertain = false): void =>
    visitArithmetic(inner, place, { context, visit, isCertain: isCertain && isStillCertain });
  context.walk.spend(STEPS.perVisitedNode);
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const { left, operator, right } = expression;
      const name = nameOf(left);
      // A plain `=` does not read the previous value, but evaluates a subscript.
      if (operator !== '=' || name?.includes('[') !== false) inside(left, operator === ',');
      inside(right, operator === ',');
      if (name === undefined || !isAssignment(operator)) return;
      const isNumber = operator === '=' && right.type === 'ArithmeticWord' && isNumberText(right.value);
      return becomesNumber(name, isCertain && isNumber, { span: context.spanOf(place), context });
    }
    case 'ArithmeticUnary': {
      inside(expression.operand);
      const name = nameOf(expression.operand);
      if (name !== undefined && /^(?:\+\+|--)$/.test(expression.operator))
        becomesNumber(name, false, { span: context.spanOf(place), context });
      return;
    }
    case 'ArithmeticTernary':
      for (const one of [expression.test, expression.consequent, expression.alternate]) inside(one);
      return;
    case 'ArithmeticGroup':
      return inside(expression.expression, true);
    case 'ArithmeticCommandExpansion':
      return visitWord(
        expression.text,
        [
          {
            type: 'CommandExpansion',
            pos: expression.pos,
            end: expression.end,
            text: expression.text,
            script: expression.script,
          },
        ],
        { place, context, visit },
      );
    case 'ArithmeticWord':
      return visitWord(expression.value, expression.parts, { place, context, visit });
  }
}

/** `${a[index]}`, `${a:offset}`, an operand of `-eq`: arithmetic written as a word. */
export function visitSubscript(index: ast.Word, context: EvaluationContext, visit: Visit): void {
  if (/^[@*]$/.test(index.text)) return;
  raiseRunning(`[${index.text}`, context.spanOf(index), context);
  for (const word of expandWord(index, context, visit)) evaluate(word, word.span, context);
}

function visitWord(
  text: string,
  parts: readonly ast.WordPart[] | undefined,
  { place, context, visit }: Readonly<{ place: ast.SyntaxNode; context: EvaluationContext; visit: Visit }>,
): void {
  const span = context.spanOf(place);
  if (parts === undefined) {
    if (!/^(?:[\w#@.]*|\w+\[.*\])$/s.test(text))
      context.report.raise('warning', 'unparseable', {
        text: "contains arithmetic that can't be parsed",
        span,
      });
    return evaluateText(text, span, context);
  }
  raiseRunning(text, span, context);
  const { pos, end } = place;
  for (const word of expandWord({ type: 'Word', text, value: text, pos, end, parts }, context, visit))
    evaluate(word, span, context);
}

export function isAssignment(operator: string): boolean {
  return /^(?:[-+*/%&^|]|<<|>>)?=$/.test(operator);
}

/** A command in a subscript has no use but to hide it. */
function raiseRunning(text: string, span: Span, { report }: EvaluationContext): void {
  if (/\[[^[\]]*(?:`|\$\((?!\())/.test(text))
    report.raise('dangerous', 'arithmetic-executes', { text: 'runs a command inside arithmetic', span });
}

function nameOf(target: ast.ArithmeticExpression): string | undefined {
  const isName = target.type === 'ArithmeticWord' && /^[A-Za-z_]\w*(?:\[|$)/.test(target.value);
  return isName ? target.value : undefined;
}
