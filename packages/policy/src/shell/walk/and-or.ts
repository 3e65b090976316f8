import type * as ast from 'unbash';
import { STEPS } from '../budget.ts';
import type { EvaluationContext } from '../program.ts';
import { forkState, joinStates, type ShellState } from '../state.ts';
import type { Visit } from '../visit.ts';

/** The way back into the walk of a line. */
export type Steps = Readonly<{
  walkNode(node: ast.PipelineNode | ast.AndOr | ast.CompoundList, context: EvaluationContext): void;
  walkStatements(statements: readonly ast.Statement[], context: EvaluationContext): void;
  visit: Visit;
}>;

/** After `&&` the command before counts as succeeded; after `||` nothing is certain. */
export function walkAndOr(node: ast.AndOr, context: EvaluationContext, steps: Steps): void {
  let before = context.state;
  let sure: ShellState | undefined;
  let happens = true;
  for (const [at, command] of node.commands.entries()) {
    if (at === 0 || node.operators[at - 1] === '&&') {
      if (node.operators[at] === '||') before = forkState(context.state);
      if (!happens) sure ??= forkState(context.state);
      steps.walkNode(command, context);
      happens &&= succeeds(command);
      continue;
    }
    context.walk.spend(STEPS.branch);
    const other = forkState(before);
    steps.walkNode(command, { ...context, state: other });
    if (!leaves(command, context.state)) joinStates(context.state, other);
  }
  // `test -d web && cd web; touch a`: what follows may run in either directory.
  if (sure !== undefined) joinStates(context.state, sure);
}

/** `cd web || exit`: the commands after it have not taken that branch. */
export function leaves(node: ast.AndOr['commands'][number], state: ShellState): boolean {
  if (node.type === 'Command') {
    const name = node.name?.value ?? '';
    return /^(?:exit|return)$/.test(name) && !state.functions.has(name);
  }
  if (node.type !== 'BraceGroup') return false;
  const last = node.body.commands.at(-1);
  return last?.command.type === 'Command' && last.background !== true && leaves(last.command, state);
}

/** Commands that people rely on: after `cd web &&` they expect to be there. */
function succeeds(node: ast.AndOr['commands'][number]): boolean {
  return (
    node.type === 'Command' &&
    /^(?:cd|pushd|popd|mkdir|export|set|source|\.|true|:|echo)$/.test(node.name?.text ?? ':')
  );
}
