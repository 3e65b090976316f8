import type { Effect, Level, Span } from '@signalbox/core';
import type { WorkBudget } from './budget.ts';
import type { Options } from './options.ts';
import type { LineContext } from './paths/paths.ts';
import type { Report } from './report/report.ts';
import type { ArgumentRole } from './role.ts';
import type { ShellState } from './state.ts';
import type { Origin, Word } from './word.ts';

/** A finding caused by an option, with any value. */
export type OptionFinding = Readonly<{
  /** Options by their names in the notation, separated by spaces. */
  when: string;
  level: Level;
  code: string;
  text: string;
  effects?: readonly Effect[];
}>;

/** Lines and their levels: shown to people, checked by a test. */
export type Examples = Readonly<Partial<Record<Level, readonly string[]>>>;

/** Context of a command: what it may read, and access to the walk. */
export type EvaluationContext = Readonly<{
  report: Report;
  lineContext: LineContext;
  /** Changed in place by commands that change the shell: `cd`, `read`, `unset`. */
  state: ShellState;
  walk: Walk;
  /** Position of a node in the line; text that was quoted is at its quotes. */
  spanOf(node: Readonly<{ pos: number; end: number }>): Span;
  /** The text that positions of nodes refer to. */
  source: string;
  /** Number of shells around this text: 0 for the line itself. */
  depth: number;
}>;

/** Output of an earlier command of the line. */
export type WrittenBefore = Readonly<{
  origin: Origin;
  /** Written by a redirect: certainly a file, whatever its name. */
  isFile: boolean;
  /** Written only by programs that get packages. */
  isGot: boolean;
}>;

/** Absolute; `unknown` when it may lead anywhere, or may not be a link. */
export type LinkTarget = Readonly<{ kind: 'known'; path: string } | { kind: 'unknown' }>;

/** Operations of the walk that a rule may use. */
export type Walk = Readonly<{
  /** Judges a command that another one starts: the words after `env`, `xargs`, `find -exec`. */
  runWords(words: readonly Word[], context: EvaluationContext): void;
  /** Whether there is a rule for a program of that name. */
  knows(program: string): boolean;
  /** Judges text that a shell will run, as if it were here. */
  runText(text: string, span: Span, context: EvaluationContext): void;
  /** Reports the command's output, when it is known; the next stage of a pipeline may run it. */
  printed(text: string): void;
  /** Paths that an earlier command of this line wrote, absolute; a folder ends in `/`. */
  readonly written: Map<string, WrittenBefore>;
  /** Symbolic links that an earlier command of this line made, or may have made, by absolute path. */
  readonly links: Map<string, LinkTarget>;
  /** Counts work against the bound of the line: in every loop whose length the line decides. */
  spend: WorkBudget['spend'];
  /** The same for text that is parsed on demand: the parts of a word, a substitution. */
  spendOnParsing(text: string): void;
}>;

/** One command as its rule sees it. */
export type Invocation = Readonly<{
  /** The name under which the rule was found: `rm`, `git push`. */
  program: string;
  /** All words after the name. */
  words: readonly Word[];
  options: Options;
  span: Span;
  context: EvaluationContext;
}>;

/** How a program uses its arguments, as data; `judge` for what data can't express. */
export type Rule = Readonly<{
  /** Every option it accepts, in the notation of `options.ts`; an unlisted one is at least a `warning`. */
  options?: string;
  /** `gnu` (default): options anywhere. `posix`: up to the first operand. `long`: one dash, long names. */
  style?: 'gnu' | 'posix' | 'long';
  /** By position; the last one repeats. Default `text`. */
  operands?: ArgumentRole | readonly ArgumentRole[];
  /** Level without any finding. Default `safe`. */
  level?: Level;
  /** With `text`, the reason given for `level`. */
  code?: string;
  text?: string;
  effects?: readonly Effect[];
  raises?: readonly OptionFinding[];
  /** All of its changes: when they are in private folders of the line, neither `level` nor `raises` are reported. */
  changes?: (options: Options) => readonly Word[];
  /** `any`: too many to list; the level covers them all. Default `listed`. */
  unknownOptions?: 'listed' | 'any';
  /**
   * Effect of a word that may become an option. `anything` (default): write a file, start a program. `harmless`: no
   * existing option, in any version, does more than change what is read or printed.
   */
  anyOption?: 'anything' | 'harmless';
  judge?: (invocation: Invocation) => void;
  examples?: Examples;
}>;

export type ProgramRules = Rule &
  Readonly<{
    names: readonly string[];
    /** By verb (`push`, or several separated by spaces); `options` are then the ones before the verb. */
    verbs?: Readonly<Record<string, Rule>>;
    /** For a verb that is not listed. Default: an unknown command. */
    otherVerb?: Rule;
    /** Without a verb. Default: safe, it prints its usage. */
    noVerb?: Rule;
  }>;

/** A long list of names, written as one text. */
export function named(names: string): readonly string[] {
  return names.split(' ');
}

/** Returns its argument, typed. */
export function definePrograms(...programs: readonly ProgramRules[]): readonly ProgramRules[] {
  return programs;
}

export const NETWORK: Effect = { kind: 'network' };
export const WRITES_UNKNOWN: Effect = { kind: 'write-unknown' };
export const REPOSITORY_CODE: Effect = { kind: 'repository-code' };
