import type { Effect, NetworkSource } from '@signalbox/core';
import { readOptions, tableOf } from '../options.ts';
import type { Report } from '../report/report.ts';
import { FETCHING, type FetchProgram } from '../programs/network/fetching.ts';
import type { EvaluationContext } from '../program.ts';
import { beginningOf, textOf, type Word } from '../word.ts';

/** An address, or `user@host:path`, at any position: the hosts are those of the line and not of the project. */
const NAMES_HOST = /:\/\/|^[\w.-]+@[\w.-]+:|^git\+/;

/**
 * Source of a command's packages or commits, if it names none itself: the project's own files name those hosts.
 * Undefined when any word is unknown; it is then treated like any host.
 */
export function sourceOf(program: string, words: readonly Word[]): NetworkSource | undefined {
  const texts = words.map((word) => textOf(word));
  if (texts.some((text) => text === undefined || NAMES_HOST.test(text))) return undefined;
  return FETCHING.find((one) => one.programs.includes(program) && fits(one, words))?.source;
}

/** Whether a program gets packages, by itself or for its builds. */
export function getsPackages(program: string): boolean {
  return (
    program !== 'git' && (BUILDS.has(program) || FETCHING.some(({ programs }) => programs.includes(program)))
  );
}

const BUILDS: ReadonlySet<string> = new Set(['mvn', 'mvnw', 'gradle', 'gradlew']);

function fits(
  { options: notation, style, verbs, operand, first = operand }: FetchProgram,
  words: readonly Word[],
): boolean {
  const { operands, unknown } = readOptions(words, style ?? 'gnu', tableOf(notation));
  const texts = operands.map((word) => beginningOf(word));
  const verb = verbs.map(wordsOf).find((parts) => parts.every((part, at) => part === texts[at]));
  // Without a verb a word would be an unknown one, such as the name of a script.
  if (unknown.length > 0 || verb === undefined || (verb.length === 0 && texts.length > 0)) return false;
  const named = texts.slice(verb.length);
  return named.every((text, at) => (at === 0 ? first : operand).test(text));
}

function wordsOf(verb: string): readonly string[] {
  return verb.split(' ').filter((word) => word !== '');
}

/** The same context, with access to unnamed hosts replaced by the hosts of the source. */
export function fetchingFrom(
  source: NetworkSource | undefined,
  context: EvaluationContext,
): EvaluationContext {
  const { report } = context;
  if (source === undefined || report.sources.variables > 0) return context;
  const reported: Report = {
    ...report,
    effect: (effect) => report.effect(isAnyHost(effect) ? { kind: 'network', source } : effect),
  };
  return { ...context, report: reported };
}

function isAnyHost(effect: Effect): boolean {
  return effect.kind === 'network' && effect.host === undefined && effect.source === undefined;
}
