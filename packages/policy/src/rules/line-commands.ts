import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';
import { hasUnreadOperators, hasUnreadStatements, hasUnreadWords } from '../shell/syntax/unread-text.ts';
import { parseLine } from '../shell/syntax/parse.ts';
import { innerCommandsOf } from './inner-commands.ts';
import type { LineCommands, SimpleCommand } from './simple-command.ts';

/** Nested lines: deeper ones are not read. */
const MAX_DEPTH = 4;

/** The simple commands of a shell line, for rules that name programs; null when it can't be parsed for certain. */
export function commandsOf(line: string): LineCommands | null {
  return readLine(line, 0);
}

function readLine(line: string, depth: number): LineCommands | null {
  if (depth > MAX_DEPTH) return null;
  const { script, reasons } = parseLine(line);
  if (script === undefined || reasons.length > 0 || (script.errors?.length ?? 0) > 0) return null;
  if (hasUnreadStatements(script, line)) return null;
  const commands: SimpleCommand[] = [];
  let isPlain = true;
  let isRead = true;

  function visit(node: SyntaxNode): void {
    if (!PLAIN_NODES.has(node.type) || (node.type === 'Statement' && node.background === true))
      isPlain = false;
    if (node.type === 'Redirect' && isHarmless(node)) return;
    if (node.type === 'Redirect') isPlain = false;
    if (node.type === 'Command') {
      isRead = isRead && !hasUnreadWords(node, line);
      commands.push(simpleCommand(node));
    }
    if (node.type === 'AndOr' || node.type === 'Pipeline')
      isRead = isRead && !hasUnreadOperators(node.commands, line);
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution')
      isRead = isRead && node.script !== undefined;
    forEachChild(node, visit);
  }

  for (const statement of script.commands) visit(statement);
  if (!isRead) return null;
  return { commands, inner: innerCommandsOf(commands, (text) => readLine(text, depth + 1)), isPlain };
}

const PLAIN_NODES: ReadonlySet<string> = new Set([
  'Statement',
  'AndOr',
  'Pipeline',
  'Negation',
  'Command',
  'Redirect',
  'FileDescriptor',
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'AnsiCQuoted',
  'Glob',
]);

/** `2>&1`, `>/dev/null`: irrelevant for rules. */
export function isHarmless({ operator, target }: ast.Redirect): boolean {
  const text = String(target?.value);
  return text === '/dev/null' || (operator === '>&' && /^[0-9-]$/.test(text));
}

/** Its program is '' when it only sets variables or redirects. */
export function simpleCommand(node: ast.Command): SimpleCommand {
  const args = node.args.map((arg) => (arg.type === 'Word' ? textOfWord(arg) : textOfAssignment(arg)));
  return {
    program: node.name === undefined ? '' : textOfWord(node.name),
    args,
    span: { start: node.pos, end: node.end },
  };
}

function textOfAssignment({ name, value, append, index }: ast.Assignment): string | null {
  if (value.type !== 'Word' || append === true || index !== undefined) return null;
  const text = textOfWord(value);
  return text === null ? null : `${name}=${text}`;
}

/** The one word that it certainly is, or null. */
export function textOfWord({ parts, value }: ast.Word): string | null {
  return parts === undefined ? value : joined(parts.map(textOfPart));
}

function joined(pieces: readonly (string | null)[]): string | null {
  return pieces.includes(null) ? null : pieces.join('');
}

function textOfPart(part: ast.WordPart): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value;
    case 'AnsiCQuoted':
      return part.value.replace(/\0.*$/s, '');
    case 'DoubleQuoted':
      return joined(part.parts.map((child) => (child.type === 'Literal' ? child.value : null)));
    case 'Glob':
    case 'ExtendedGlob':
    case 'LocaleString':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'BraceExpansion':
      return null;
  }
}
