import { UserRule } from '@signalbox/core';
import type * as z from 'zod';
import { checkRules, checkExamples } from '../rules/check-examples.ts';
import { plainCommandOf } from '../rules/plain-command.ts';

/** A rule as a settings file would contain it. */
export type WrittenRule = Readonly<Record<string, unknown>> & { readonly id: string };

/** A part of the other program's rules without an equivalent here, and why. */
export type SkippedRule = { readonly rule: string; readonly why: string };

export type Imported = { readonly rules: readonly WrittenRule[]; readonly skipped: readonly SkippedRule[] };

export type RulingWord = 'allow' | 'ask' | 'deny';

export type Collector = {
  add(from: string, ruling: RulingWord, options: Readonly<{ matcher: object; more?: object }>): void;
  skip(rule: string, why: string): void;
  imported(): Imported;
};

/** Collects imported rules: each is parsed as a file would be, and left out with a reason when it is invalid. */
export function createCollector(): Collector {
  const rules: WrittenRule[] = [];
  const skipped: SkippedRule[] = [];
  const ids = new Set<string>();

  return {
    add(from, ruling, { matcher, more = {} }) {
      const rule = { id: freshId(ruling, matcher, ids), [ruling]: matcher, ...more };
      const parsed = UserRule.safeParse(rule);
      if (!parsed.success) return void skipped.push({ rule: from, why: whyNot(parsed.error) });
      const [broken] = checkRules([{ ...parsed.data, examples: NONE }]);
      if (broken !== undefined) return void skipped.push({ rule: from, why: broken.message });
      const failing = checkExamples(parsed.data).filter(({ passes }) => !passes);
      for (const { text, expects } of failing) {
        skipped.push({ rule: from, why: exampleFails(text, expects) });
      }
      ids.add(rule.id);
      rules.push(withoutExamples(rule, new Set(failing.map(({ text }) => text))));
    },
    skip(rule, why) {
      skipped.push({ rule, why });
    },
    imported: () => ({ rules, skipped }),
  };
}

export function exampleFails(text: string, expects: string): string {
  return `its example ${JSON.stringify(text)} (${expects}) fails here and was left out`;
}

/** Whether a rule of that matcher would match a line. */
export function speaksOf(ruling: RulingWord, line: string, matcher: object): boolean {
  const rule = UserRule.safeParse({ id: 'x', [ruling]: matcher, examples: { match: [line] } }).data;
  return rule !== undefined && checkExamples(rule).every(({ passes }) => passes);
}

/** What is wrong with a written rule, on one line. */
export function whyNot({ issues }: Pick<z.ZodError, 'issues'>): string {
  return issues.map(({ message }) => message).join('; ');
}

const NONE = { match: [], not_match: [], allow: [], ask: [], deny: [] };

function withoutExamples(rule: WrittenRule, failing: ReadonlySet<string>): WrittenRule {
  const { examples = {}, ...rest } = rule;
  const kept = Object.entries(examples as Record<string, readonly string[]>)
    .map(([kind, lines]) => [kind, lines.filter((line) => !failing.has(line))] as const)
    .filter(([, lines]) => lines.length > 0);
  return kept.length === 0 ? rest : { ...rest, examples: Object.fromEntries(kept) };
}

/** The words of one plain command, including `*`; undefined for anything else. */
export function wordsOf(text: string): readonly [program: string, ...args: string[]] | undefined {
  const command = plainCommandOf(text.replaceAll('*', STAR));
  if (command === undefined) return undefined;
  const [program, ...args] = command;
  const name = program.replaceAll(STAR, '*');
  return /^[^\s*?]+$/.test(name) ? [name, ...args.map((word) => word.replaceAll(STAR, '*'))] : undefined;
}

/** Replaces a star while a shell parser reads the text. */
const STAR = '\uE000';

/** The matcher for a prefix of words: an allow states that more may follow, the others always imply it. */
export function prefixMatcher(
  ruling: RulingWord,
  [program, ...args]: readonly [string, ...string[]],
): object {
  const words = args.map((word) => (word === '*' ? '**' : word));
  if (ruling !== 'allow') return words.length === 0 ? { program } : { program, args: words };
  return words.length === 0 ? { program } : { program, args: [...words, '**'] };
}

function freshId(ruling: RulingWord, matcher: object, taken: ReadonlySet<string>): string {
  const words = Object.values(matcher).flat().join('-').toLowerCase();
  const name = `${ruling}-${words}`
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-|-$/g, '');
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(id)) return id;
  }
}
