import type { PrintingPipe } from '@signalbox/core';
import type * as ast from 'unbash';
import { textOfWord } from '../rules/line-commands.ts';
import { parseLine } from '../shell/syntax/parse.ts';
import { isSilent } from './answer-codes.ts';
import { lineOfShell, spellingsOf } from './spellings-of.ts';

/** Nested shells: deeper ones are not read. */
const MAX_DEPTH = 3;

/**
 * The programs whose output a shell line prints, by the pipes that they write to. Empty for a line that can't be
 * parsed. Commands that print nothing of interest, such as `cd`, are left out; whether a branch runs is not known here.
 */
export function printingPipes(line: string): readonly PrintingPipe[] {
  return pipesOfLine(line, 0);
}

function pipesOfLine(line: string, depth: number): readonly PrintingPipe[] {
  const { script } = parseLine(line);
  if (script === undefined || script.errors !== undefined || depth > MAX_DEPTH) return [];
  return script.commands.flatMap(({ command }) => pipesOf(command, depth));
}

type Node = ast.PipelineNode | ast.AndOr | ast.CompoundList;

function pipesOf(node: Node, depth: number): readonly PrintingPipe[] {
  const each = (nodes: readonly Node[]): readonly PrintingPipe[] =>
    nodes.flatMap((one) => pipesOf(one, depth));
  switch (node.type) {
    case 'Command':
      return pipesOfCommand(node, depth);
    case 'Pipeline': {
      const programs = each(node.commands).flat();
      return programs.length === 0 ? [] : [programs];
    }
    case 'AndOr':
      return each(node.commands);
    case 'CompoundList':
      return each(node.commands.map(({ command }) => command));
    case 'If':
      return each([node.then, ...node.elif.map(({ then }) => then), ...(node.else ? [node.else] : [])]);
    case 'Case':
      return each(node.items.map(({ body }) => body));
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
    case 'While':
    case 'Subshell':
    case 'BraceGroup':
      return each([node.body]);
    case 'Redirected':
      return each([node.command]);
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'Function':
    case 'Coproc':
      return [];
  }
}

function pipesOfCommand({ name, args }: ast.Command, depth: number): readonly PrintingPipe[] {
  if (name === undefined || isSilent(name.value)) return [];
  const words = [name, ...args.filter((arg) => arg.type === 'Word')].map((word) => textOfWord(word));
  const spellings = [...spellingsOf(words)];
  const last = spellings.at(-1);
  // A program that is known only at run time.
  if (last === undefined) return [[[words]]];
  const line = lineOfShell(last);
  return typeof line === 'string' ? pipesOfLine(line, depth + 1) : [[spellings]];
}
