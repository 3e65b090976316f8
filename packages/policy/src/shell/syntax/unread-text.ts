import { forEachChild, type SyntaxNode } from 'unbash';
import type * as ast from 'unbash';

/**
 * Text that the parser skipped silently: `ls ( x` is parsed as `ls x`. Text between the parts of a tree must be blanks
 * and separators, or the tree is incomplete.
 */
export function hasUnreadWords(command: ast.Command, source: string): boolean {
  const parts = [...command.prefix, ...(command.name === undefined ? [] : [command.name]), ...command.suffix];
  let at = command.pos;
  for (const part of parts.toSorted((a, b) => a.pos - b.pos)) {
    if (!isBlank(source, { start: at, end: part.pos })) return true;
    at = Math.max(at, part.end);
  }
  return false;
}

/** The same between the statements of a script; not when here-documents put their bodies in between. */
export function hasUnreadStatements({ commands, end }: ast.ParsedScript, source: string): boolean {
  let [at] = commands.map(({ pos }) => pos);
  for (const statement of commands) {
    if (at !== undefined && !isSeparator(source, { start: at, end: statement.pos })) return true;
    at = holdsHereDoc(statement, source) ? undefined : statement.command.end;
  }
  return at !== undefined && !isSeparator(source, { start: at, end });
}

/** The same between the operands of `|`, `&&` and `||`. */
export function hasUnreadOperators(nodes: readonly ast.SyntaxNode[], source: string): boolean {
  return nodes.some((node, at) => {
    const before = nodes[at - 1];
    if (before === undefined || holdsHereDoc(before, source)) return false;
    return !/^(?:[ \t]|\\\n)*(?:\|&?|&&|\|\|)(?:\s|\\\n|#[^\n]*\n)*$/.test(
      source.slice(before.end, node.pos),
    );
  });
}

function isBlank(source: string, { start, end }: Readonly<{ start: number; end: number }>): boolean {
  return start >= end || /^(?:[ \t]|\\\n)*$/.test(source.slice(start, end));
}

function isSeparator(source: string, { start, end }: Readonly<{ start: number; end: number }>): boolean {
  return start >= end || /^(?:[\s;&]|\\\n|(?<=^|[\s;&])#[^\n]*(?:\n|$))*$/.test(source.slice(start, end));
}

const holders = new WeakMap<SyntaxNode, boolean>();

/** Each node is visited once, for lists nest. The content of a word ends before the word does. */
function holdsHereDoc(node: SyntaxNode, source: string): boolean {
  if (node.type === 'HereDoc') return true;
  if (!source.slice(node.pos, node.end).includes('<<')) return false;
  const known = holders.get(node);
  if (known !== undefined) return known;
  let found = false;
  forEachChild(node, (child) => {
    found ||= child.type !== 'Word' && child.type !== 'Assignment' && holdsHereDoc(child, source);
  });
  holders.set(node, found);
  return found;
}
