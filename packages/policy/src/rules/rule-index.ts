import type { UserRule } from '@signalbox/core';
import type { RuleMatch } from './rule-matching.ts';
import { nameOf, type SimpleCommand } from './simple-command.ts';
import type { Subject } from './subject.ts';

export type CompiledRule = { readonly rule: UserRule; readonly match: RuleMatch };

export type RuleIndex = {
  /** Rules that may match the call; all omitted ones certainly do not. */
  of(subject: Subject): readonly CompiledRule[];
};

/**
 * Indexes rules by the line, or by the program and the first word that they require, so that thousands of them cost as
 * little as the few candidates. Within a kind the order of the rules is kept.
 */
export function indexRules(rules: readonly CompiledRule[]): RuleIndex {
  const programs = new Map<string, ProgramGroup>();
  const lines = new Map<string, IndexedRule[]>();
  const others: IndexedRule[] = [];
  for (const [at, compiled] of rules.entries()) {
    const indexed = { at, compiled };
    const { match } = compiled.rule;
    if (match.kind === 'program') addToGroup(programs, match, indexed);
    else if (match.kind === 'line') add(lines, match.line, indexed);
    else others.push(indexed);
  }
  const rest = others.map(({ compiled }) => compiled);

  /** Null when a program is known only at run time. */
  function ofPrograms(commands: readonly SimpleCommand[]): readonly CompiledRule[] | null {
    const found = new Set<IndexedRule>();
    for (const { program, args } of commands) {
      if (program === null) return null;
      const group = programs.get(nameOf(program));
      for (const indexed of group === undefined ? [] : candidatesOf(group, args)) found.add(indexed);
    }
    return inOrder([...found]);
  }

  return {
    of(subject) {
      if (subject.line === null) return subject.lacksLine ? rules : rest;
      const same = lines.get(subject.line.trim()) ?? [];
      const byText = same.length === 0 ? rest : inOrder([...same, ...others]);
      if (programs.size === 0) return byText;
      const line = subject.commands();
      const named = line === null ? null : ofPrograms([...line.commands, ...line.inner]);
      return named === null ? rules : [...named, ...byText];
    },
  };
}

/** A rule with its position among all. */
type IndexedRule = { readonly at: number; readonly compiled: CompiledRule };

type ProgramGroup = {
  readonly all: IndexedRule[];
  /** Rules that require no certain word. */
  readonly anyWords: IndexedRule[];
  readonly byWord: Map<string, IndexedRule[]>;
};

function addToGroup(
  groups: Map<string, ProgramGroup>,
  { program, args }: UserRule['match'] & { kind: 'program' },
  indexed: IndexedRule,
): void {
  const name = nameOf(program);
  const group = groups.get(name) ?? { all: [], anyWords: [], byWord: new Map<string, IndexedRule[]>() };
  groups.set(name, group);
  group.all.push(indexed);
  const word = args?.find((pattern) => !pattern.startsWith('-') && !pattern.includes('*'));
  if (word === undefined) group.anyWords.push(indexed);
  else add(group.byWord, word, indexed);
}

function candidatesOf(
  { all, anyWords, byWord }: ProgramGroup,
  args: SimpleCommand['args'],
): readonly IndexedRule[] {
  const words = args.filter((word) => word !== null);
  // A word known only at run time may be any word, or several.
  if (words.length < args.length) return all;
  return [...anyWords, ...words.flatMap((word) => byWord.get(word) ?? [])];
}

function add(map: Map<string, IndexedRule[]>, key: string, indexed: IndexedRule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [indexed]);
  else list.push(indexed);
}

function inOrder(indexed: readonly IndexedRule[]): readonly CompiledRule[] {
  return indexed.toSorted((a, b) => a.at - b.at).map(({ compiled }) => compiled);
}
