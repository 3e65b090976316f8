import type { Ruling } from '@signalbox/core';
import type { RuleId } from '../governance/built-in-rules.ts';
import type { Question } from '../governance/question.ts';
import { commandsOf } from './commands-of.ts';

/** A rule as it would stand in a file: as narrow as the call. */
export type ProposedRule = {
  readonly id: string;
  readonly allow:
    | { readonly program: string; readonly args: readonly string[] }
    | { readonly line: string }
    | { readonly tool: string; readonly path: string };
};

/** Questions that an allow rule answers; nothing answers the others for good. */
const LIFTED: ReadonlySet<string> = new Set<RuleId>([
  'unknown-program-asks',
  'writes-ask',
  'tool-asks',
  'safe-asks',
  'warning-asks',
]);

/**
 * The narrowest rule that would let the same call run: the same program with the same words, the same line where
 * it has several commands, the same file. Undefined where no rule could, or where a part is known only when it runs.
 */
export function proposeRule(question: Question, ruling: Ruling): ProposedRule | undefined {
  if (ruling.kind !== 'ask' || ruling.source !== 'built in' || !LIFTED.has(ruling.rule)) return undefined;
  const line = question.line ?? null;
  return line === null ? forFiles(question) : forLine(line);
}

function forLine(line: string): ProposedRule | undefined {
  const read = commandsOf(line);
  const [first, ...more] = read?.commands ?? [];
  if (read === null || !read.isPlain || first === undefined) return undefined;
  const args = first.args.filter((word) => word !== null);
  const isKnown = read.commands.every(
    ({ program, args: words }) => program !== null && !words.includes(null),
  );
  if (!isKnown || first.program === null || first.program === '') return undefined;
  const id = idOf([first.program, ...args]);
  // A star in a word would mean any characters there.
  const isExact =
    more.length === 0 &&
    /^[^\s*?]+$/.test(first.program) &&
    !args.some((word) => word.includes('*') || word === '');
  return isExact ? { id, allow: { program: first.program, args } } : { id, allow: { line: line.trim() } };
}

function forFiles({ tool, verdict }: Question): ProposedRule | undefined {
  const paths = verdict.effects.flatMap((effect) =>
    (effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'read') && effect.scope === 'file'
      ? [effect.path]
      : [],
  );
  const [path] = paths;
  const isOne = paths.length === 1 && verdict.effects.length === 1;
  if (path === undefined || !isOne || /[*?[\]{}\\!]/.test(path)) return undefined;
  return { id: idOf([tool.name, path]), allow: { tool: tool.name, path } };
}

function idOf(words: readonly string[]): string {
  const id = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '');
  return id === '' ? 'rule' : id;
}
