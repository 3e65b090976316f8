import type * as ast from 'unbash';
import { commandsOf } from '../rules/line-commands.ts';
import { parseLine } from '../shell/syntax/parse.ts';
import { isQuiet, type RequiredPart, runsMore, toMember } from './needed-parts.ts';

/** Each costs disk lookups. */
const MAX_PARTS = 8;

/**
 * The effective commands of a shell line of plain commands only, also in subshells and groups: if none of them can run,
 * nothing of the line does. Empty for any other line.
 *
 * @param cwd Folder of the workspace that the line starts in, relative.
 */
export function wholeLine(line: string, cwd: string): readonly RequiredPart[] {
  const { script } = parseLine(line);
  // A line that isn't parsed to its end may contain anything.
  if (script === undefined || commandsOf(line) === null) return [];
  const commands = commandsIn(script.commands);
  if (commands === null) return [];
  const isMoved = commands.some((node) => toMember(node).program === 'cd');
  const parts: RequiredPart[] = [];
  for (const [at, node] of commands.entries()) {
    if (isQuiet(node)) continue;
    const { program, args, inputs, span, findsElsewhere } = toMember(node);
    if (program === null || findsElsewhere) return [];
    const text = line.slice(span.start, span.end);
    const isAlone = commands.length === 1;
    parts.push({ program, args, inputs, text, at: at + 1, isAlone, cwd: isMoved ? null : cwd });
  }
  return parts.length > MAX_PARTS ? [] : parts;
}

/** Null for anything else: a loop, a function, a command in the background, `! make`. */
function commandsIn(
  nodes: readonly (ast.Statement | ast.PipelineNode | ast.AndOr)[],
): readonly ast.Command[] | null {
  const found: ast.Command[] = [];
  for (const node of nodes) {
    const commands = commandsOfNode(node);
    if (commands === null) return null;
    found.push(...commands);
  }
  return found;
}

function commandsOfNode(node: ast.Statement | ast.PipelineNode | ast.AndOr): readonly ast.Command[] | null {
  if (node.type === 'Statement') return node.background === true ? null : commandsOfNode(node.command);
  if (node.type === 'AndOr') return commandsIn(node.commands);
  if (node.type === 'Pipeline') return node.prefixes.length > 0 ? null : commandsIn(node.commands);
  if (node.type === 'Subshell' || node.type === 'BraceGroup') return commandsIn(node.body.commands);
  return node.type !== 'Command' || node.name === undefined || runsMore(node) ? null : [node];
}
