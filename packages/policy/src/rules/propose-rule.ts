import type { Ruling } from '@signalbox/core';
import type { RuleId } from '../governance/built-in-rules.ts';
import type { Question } from '../governance/question.ts';
import { commandsOf } from './line-commands.ts';
import { plainCommandOf } from './plain-command.ts';

/** A rule as a file would contain it: as narrow as the call. */
export type ProposedRule = {
  readonly id: string;
  readonly allow:
    | { readonly program: string; readonly args: readonly string[] }
    | { readonly line: string }
    | { readonly tool: string; readonly path: string };
};

/** Approvals that an allow rule can replace; no rule replaces the others. */
const LIFTED: ReadonlySet<string> = new Set<RuleId>([
  'unknown-program-asks',
  'writes-ask',
  'tool-asks',
  'safe-asks',
  'warning-asks',
]);

/**
 * The narrowest rule that would allow the same call: the same program with the same words, the same line if it has
 * several commands, the same file. Undefined when no rule could, or when a part is known only at run time.
 */
export function proposeRule(question: Question, ruling: Ruling): ProposedRule | undefined {
  if (ruling.kind !== 'ask' || ruling.source !== 'built in' || !LIFTED.has(ruling.rule)) return undefined;
  const line = question.line ?? null;
  return line === null ? forFiles(question) : forLine(line);
}

function forLine(line: string): ProposedRule | undefined {
  const plain = plainCommandOf(line);
  if (plain !== undefined && isExact(plain)) {
    const [program, ...args] = plain;
    return { id: idOf(plain), allow: { program, args } };
  }
  return isKnown(line) ? { id: idOf([line]), allow: { line: line.trim() } } : undefined;
}

/** A star in a word would match any characters. */
function isExact([program, ...args]: readonly [string, ...string[]]): boolean {
  return /^[^\s*?]+$/.test(program) && !args.some((word) => word.includes('*') || word === '');
}

/** Whether every command of a chain is known before it runs. */
function isKnown(line: string): boolean {
  const read = commandsOf(line);
  if (read?.isPlain !== true || read.commands.length === 0) return false;
  return read.commands.every(({ program, args }) => !['', null].includes(program) && !args.includes(null));
}

function forFiles({ tool, verdict }: Question): ProposedRule | undefined {
  const [effect, ...more] = verdict.effects;
  if (effect === undefined || more.length > 0 || !('scope' in effect) || effect.scope !== 'file')
    return undefined;
  const { path } = effect;
  return /[*?[\]{}\\!]/.test(path)
    ? undefined
    : { id: idOf([tool.name, path]), allow: { tool: tool.name, path } };
}

function idOf(words: readonly string[]): string {
  const id = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 48)
    .replace(/-$/, '');
  return id === '' ? 'rule' : id;
}
