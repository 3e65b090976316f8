import type * as ast from 'unbash';
import { judgeVariable } from './assignments.ts';
import { assign, assignedValue } from './command-words.ts';
import { loadsOwnCode, noteOwnCode } from './own-code.ts';
import { evaluate, isInteger } from './evaluate.ts';
import type { EvaluationContext } from '../program.ts';
import { isHarmlessNumber, NUMBER_VARIABLE, setVariable, UNKNOWN_VARIABLE, type Variable } from '../state.ts';
import type { Visit } from '../visit.ts';

/** Builtins that may keep the assignments before them. */
const KEEPING =
  /^(?:export|readonly|declare|typeset|local|read|mapfile|readarray|printf|let|getopts|unset|set|eval|source|\.|command|builtin)$/;

/** `a=b` alone sets a variable; before a command it does so for that one alone. Returns a function that restores it. */
export function applyAssignments(node: ast.Command, context: EvaluationContext, visit: Visit): () => void {
  const { state } = context;
  const isBare = node.name === undefined && node.args.length === 0;
  const assignments = node.prefix.filter((one) => one.type === 'Assignment');
  const name = node.name?.text ?? '';
  const before = new Map<string, Variable | undefined>();
  const { repositoryCode } = context.report.sources;
  let loadsOwn = false;
  for (const one of assignments) {
    if (isBare) {
      assign(one, context, visit);
      continue;
    }
    const value = assignedValue(one, context, visit);
    const span = context.spanOf(one);
    // `IFS= read`: affects only that builtin, and only its splitting.
    if (one.name === 'IFS' && /^(?:read|mapfile|readarray)$/.test(name)) continue;
    judgeVariable(one.name, value, { span, context });
    loadsOwn ||= loadsOwnCode(one.name, value, context);
    if (isInteger(one.name, state)) evaluate(value, span, context);
    if (!before.has(one.name)) before.set(one.name, state.variables.get(one.name));
    const isWhole = one.index === undefined && one.append !== true;
    setVariable(state, one.name, isWhole ? { value, origin: value.origin } : UNKNOWN_VARIABLE);
  }
  return () => {
    // Tests and recipes are known for it: they get the network of the line.
    if (loadsOwn && context.report.sources.repositoryCode === repositoryCode) noteOwnCode(context);
    for (const [variable, old] of before) {
      const isNumber = isHarmlessNumber(old, state) && isHarmlessNumber(state.variables.get(variable), state);
      if (KEEPING.test(name)) setVariable(state, variable, isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE);
      else if (old === undefined) state.variables.delete(variable);
      else setVariable(state, variable, old);
    }
  };
}
