import type { UserRule } from '@signalbox/core';
import type { RuleMatch } from './rule-matching.ts';
import { nameOf } from './simple-command.ts';
import type { Subject } from './subject.ts';

export type CompiledRule = { readonly rule: UserRule; readonly match: RuleMatch };

export type RuleIndex = {
  readonly isEmpty: boolean;
  /** Rules that may match the call; all omitted ones certainly do not. */
  of(subject: Subject): readonly CompiledRule[];
};

/** Indexes rules by the program they name, so that five hundred of them cost as little as the few candidates. */
export function indexRules(rules: readonly CompiledRule[]): RuleIndex {
  const byProgram = new Map<string, CompiledRule[]>();
  const others: CompiledRule[] = [];
  for (const compiled of rules) {
    const { match } = compiled.rule;
    if (match.kind !== 'program') others.push(compiled);
    else byProgram.set(nameOf(match.program), [...(byProgram.get(nameOf(match.program)) ?? []), compiled]);
  }
  return {
    isEmpty: rules.length === 0,
    of(subject) {
      if (byProgram.size === 0) return others;
      if (subject.line === null) return subject.lacksLine ? rules : others;
      const names = subject.programs();
      if (names === null) return rules;
      return [...names.flatMap((name) => byProgram.get(name) ?? []), ...others];
    },
  };
}
