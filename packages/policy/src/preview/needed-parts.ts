import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';
import { commandsOf, isHarmless, simpleCommand, textOfWord } from '../rules/line-commands.ts';
import type { SimpleCommand } from '../rules/simple-command.ts';
import { parseLine } from '../shell/syntax/parse.ts';
import { afterCd } from './after-cd.ts';

/** A command of a shell line that certainly runs, with no change before it. */
export type RequiredPart = Readonly<{
  program: string;
  args: SimpleCommand['args'];
  /** Files that bash opens for it to read, before it changes anything, as written: `list` of `< list`. */
  inputs: readonly string[];
  /** As written. */
  text: string;
  /** Its number among the line's commands, from 1. */
  at: number;
  isAlone: boolean;
  /** Folder of the workspace that it runs in, relative; null when it is known only at run time. */
  cwd: string | null;
}>;

/** Per line; each costs disk lookups. */
const MAX_PARTS = 8;
/** Pipelines of one line that are read, from its start. */
const MAX_STEPS = 64;

/** Builtins that change neither how a later command is found nor what it works on. */
const QUIET: ReadonlySet<string> = new Set(['cd', 'echo', 'pwd', 'set', 'true', ':']);
/** After these the rest of a line may not run at all. */
const QUIET_ENDS: ReadonlySet<string> = new Set(['exit', 'false']);
/** Programs that only print what they read, with any words. */
const READERS: ReadonlySet<string> = new Set(
  'cat cut egrep fgrep fold grep head ls nl tail tr wc'.split(' '),
);
/** Not `-n`, with which bash runs nothing of the rest and succeeds. */
const HARMLESS_SET = /^(?:[-+][eux]*o?|errexit|nounset|pipefail|xtrace)$/;
/** Set before a program, they change where bash finds it or which remotes git knows. */
const CHANGES_LOOK_UP = /^(?:PATH|HOME|XDG_CONFIG_HOME|GIT_.*)$/;
/** Excludes assignments, such as `${x:=y}` and `$((x=1))`. */
const QUIET_NODES: ReadonlySet<string> = new Set(
  'Command Word Literal SingleQuoted DoubleQuoted AnsiCQuoted SimpleExpansion FileDescriptor'.split(' '),
);

type Step = Readonly<{
  join: ';' | ast.LogicalOperator;
  /** Several in a pipeline; none when it is no plain command in the foreground. */
  members: readonly NodeRecord[];
  isQuiet: boolean;
  /** Quiet; after it the next command runs, or the line fails. */
  goesOn: boolean;
}>;

type NodeRecord = SimpleCommand &
  Readonly<{
    findsElsewhere: boolean;
    inputs: RequiredPart['inputs'];
    /** Changes nothing, beside another one of its pipeline. */
    isReader: boolean;
  }>;

/** Whether a line, from a step on, runs only quiet commands. */
type Ending = Readonly<{ afterFailure: boolean; otherwise: boolean }>;

/**
 * The commands without which a shell line does nothing: if one of them can't run, the line fails, or the rest changes
 * nothing.
 *
 * @param cwd Folder of the workspace that the line starts in, relative.
 */
export function neededParts(line: string, cwd: string): readonly RequiredPart[] {
  const { script } = parseLine(line);
  // A line that isn't parsed to its end may contain anything.
  if (script === undefined || commandsOf(line) === null) return [];
  const steps = withEndings(script.commands.flatMap(stepsOf));
  const isAlone = steps.length === 1 && steps[0]?.members.length === 1;
  const parts: RequiredPart[] = [];
  let folder: string | null = cwd;
  let at = 0;
  for (const { join, members, goesOn, rest } of steps.slice(0, MAX_STEPS)) {
    if (join === '||') break;
    // If there is no such folder, bash continues in its present one.
    if (join === ';' && folder !== cwd) folder = null;
    const others = members.filter(({ isReader }) => !isReader).length;
    for (const [index, { program, args, inputs, span, findsElsewhere, isReader }] of members.entries()) {
      at += 1;
      const isVain =
        others === (isReader ? 0 : 1) && (index === members.length - 1 ? rest.afterFailure : rest.otherwise);
      if (program === null || findsElsewhere || !isVain) continue;
      parts.push({ program, args, inputs, at, isAlone, cwd: folder, text: line.slice(span.start, span.end) });
    }
    if (!goesOn || parts.length >= MAX_PARTS) break;
    const [first, ...piped] = members;
    // In a pipeline it changes the folder of a subshell.
    if (first?.program === 'cd' && piped.length === 0) folder = afterCd(first, folder);
  }
  return parts.slice(0, MAX_PARTS);
}

function stepsOf({ command, background }: ast.Statement): readonly Step[] {
  const stages = command.type === 'AndOr' ? command.commands : [command];
  const operators = command.type === 'AndOr' ? command.operators : [];
  return stages.map((stage, at) => {
    const commands = background === true ? [] : commandsIn(stage);
    const members = commands.map(toMember);
    const areQuiet = commands.length > 0 && commands.every(isQuietNode) && members.every(isHarmlessSet);
    const areAll = (...sets: readonly ReadonlySet<string>[]): boolean =>
      areQuiet && members.every(({ program }) => sets.some((names) => names.has(program ?? '')));
    return {
      join: operators[at - 1] ?? ';',
      members,
      isQuiet: areAll(QUIET, QUIET_ENDS),
      goesOn: areAll(QUIET),
    };
  });
}

/** `! make` succeeds where `make` fails; a substitution runs before its command. */
function commandsIn(stage: ast.PipelineNode): readonly ast.Command[] {
  if (stage.type === 'Pipeline' && stage.prefixes.length > 0) return [];
  const nodes = stage.type === 'Pipeline' ? stage.commands : [stage];
  const commands = nodes.filter(
    (node): node is ast.Command => node.type === 'Command' && node.name !== undefined,
  );
  return commands.length < nodes.length || commands.some(runsMore) ? [] : commands;
}

/** Whether a command runs others among its words. */
export function runsMore(node: SyntaxNode): boolean {
  let more = node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution';
  forEachChild(node, (child) => {
    more ||= runsMore(child);
  });
  return more;
}

export function toMember(node: ast.Command): NodeRecord {
  const command = simpleCommand(node);
  const program = command.program ?? '';
  const findsElsewhere = node.prefix.some(
    (word) => word.type === 'Assignment' && CHANGES_LOOK_UP.test(word.name),
  );
  const isReader = isQuietNode(node) && (isQuietProgram(program) || READERS.has(program));
  return { ...command, inputs: inputsOf(node), findsElsewhere, isReader };
}

/** A file after a redirect that may create one is opened later than that. */
function inputsOf({ redirects }: ast.Command): readonly string[] {
  const inputs: string[] = [];
  for (const redirect of redirects) {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) break;
    if (isHarmless(redirect)) continue;
    const text = redirect.operator === '<' ? textOfWord(redirect.target) : null;
    if (text === null) break;
    inputs.push(text);
  }
  return inputs;
}

/** Changes nothing, and prints only its own words. */
export function isQuiet(node: ast.Command): boolean {
  const command = simpleCommand(node);
  return isQuietNode(node) && isHarmlessSet(command) && isQuietProgram(command.program ?? '');
}

function isQuietProgram(program: string): boolean {
  return QUIET.has(program) || QUIET_ENDS.has(program);
}

/** Options of bash change how it runs what follows. */
function isHarmlessSet({ program, args }: SimpleCommand): boolean {
  return program !== 'set' || args.every((word) => word !== null && HARMLESS_SET.test(word));
}

function isQuietNode(node: SyntaxNode): boolean {
  if (node.type === 'Redirect' ? !isHarmless(node) : !QUIET_NODES.has(node.type)) return false;
  let areQuiet = true;
  forEachChild(node, (child) => {
    areQuiet &&= isQuietNode(child);
  });
  return areQuiet;
}

/** From the last step to the first, so that each is visited once. */
function withEndings(steps: readonly Step[]): readonly (Step & { readonly rest: Ending })[] {
  let rest: Ending = { afterFailure: true, otherwise: true };
  return steps
    .toReversed()
    .map((step) => {
      const known = { ...step, rest };
      const otherwise = step.isQuiet && rest.otherwise;
      rest = { afterFailure: step.join === '&&' ? rest.afterFailure : otherwise, otherwise };
      return known;
    })
    .toReversed();
}
