import type * as ast from 'unbash';
import { textOfWord } from '../rules/line-commands.ts';
import { parseLine } from '../shell/syntax/parse.ts';
import { ANY_CODE } from './answer-programs.ts';
import { codesOfProgram, expand } from './codes-of-program.ts';

/** Answer codes of a workspace's own tests and linters, when their program is unknown. */
export const CHECK_CODES: readonly number[] = expand(ANY_CODE);

/** Answer codes of a part of a line; null when it never ends the line with a code other than 0. */
type Codes = readonly number[] | null;

/** How the shell continues after a failure. */
type Settings = { readonly errexit: boolean; readonly pipefail: boolean; readonly depth: number };

/** Nested shells: deeper ones are not read. */
const MAX_DEPTH = 3;

/**
 * Exit codes other than 0 that are answers of a shell line, not failures: `grep` without a match, tests that fail.
 * Empty when a program without known answer codes may have ended the line. Whether it did answer is decided by core's
 * `isAnswer`.
 */
export function answerCodes(line: string): readonly number[] {
  return codesOfLine(line, 0) ?? [];
}

function codesOfLine(line: string, depth: number): Codes {
  const { script } = parseLine(line);
  if (script === undefined || script.errors !== undefined || depth > MAX_DEPTH) return [];
  const settings = {
    errexit: /\bset\s+-\w*e|\berrexit\b/.test(line),
    pipefail: /\bpipefail\b/.test(line),
    depth,
  };
  return codesOfStatements(script.commands, settings);
}

function codesOfStatements(statements: readonly ast.Statement[], settings: Settings): Codes {
  const ending = settings.errexit ? statements : statements.slice(-1);
  return inAll(
    ending.map(({ command, background }) => (background === true ? null : codesOf(command, settings))),
  );
}

type Node = ast.PipelineNode | ast.AndOr | ast.CompoundList;

function codesOf(node: Node, settings: Settings): Codes {
  const each = (nodes: readonly Node[]): Codes => inAll(nodes.map((one) => codesOf(one, settings)));
  switch (node.type) {
    case 'Command':
      return codesOfCommand(node, settings);
    case 'Pipeline':
      if (node.prefixes.some(({ type }) => type === 'Negation')) return [1];
      return each(settings.pipefail ? node.commands : node.commands.slice(-1));
    case 'AndOr':
      // A failure before `||` does not end the line.
      return each(node.commands.filter((_, at) => !node.operators.slice(at).includes('||')));
    case 'CompoundList':
      return codesOfStatements(node.commands, settings);
    case 'If':
      return each([node.then, ...node.elif.map((elif) => elif.then), ...(node.else ? [node.else] : [])]);
    case 'Case':
      return each(node.items.map(({ body }) => body));
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
    case 'While':
    case 'Subshell':
    case 'BraceGroup':
      return codesOf(node.body, settings);
    case 'Redirected':
      return codesOf(node.command, settings);
    case 'TestCommand':
    case 'ArithmeticCommand':
      return [1];
    case 'Function':
    case 'Coproc':
      return null;
  }
}

/** The codes that are an answer, whichever of them ended the line. */
function inAll(all: readonly Codes[]): Codes {
  const [first, ...others] = all.filter((codes) => codes !== null);
  if (first === undefined) return null;
  return first.filter((code) => others.every((codes) => codes.includes(code)));
}

/** Commands that end a line only when the shell itself complains, which `isAnswer` sees. */
const SILENT: ReadonlySet<string> = new Set(
  'cd pushd popd echo printf export unset set shopt umask true : sleep local declare readonly'.split(' '),
);

/** Whether a command prints nothing of interest, and fails only when the shell itself complains. */
export function isSilent(program: string): boolean {
  return SILENT.has(program);
}

function codesOfCommand({ name, args }: ast.Command, settings: Settings): Codes {
  if (name === undefined || isSilent(name.value)) return null;
  const words = [name, ...args.filter((arg) => arg.type === 'Word')].map((word) => textOfWord(word));
  return codesOfProgram(words, (text) => codesOfLine(text, settings.depth + 1) ?? []);
}
