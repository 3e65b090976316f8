import { parseAst } from 'rolldown/parseAst';
import { parseCommandLine } from '../program/parse-command-line.ts';

/** A command line of ours that the program tells people to type. */
export type PrintedCommandLine = Readonly<{
  /** Its words after `signalbox`; run-time values are `X`. */
  argv: readonly string[];
  /** Whether it is in a `next`, whose lines must be pasteable. */
  isNext: boolean;
}>;

/** Every command line of ours in the texts of a source file. */
export function writtenLinesOf(source: string): readonly PrintedCommandLine[] {
  return textsIn(parseAst(source, { lang: 'ts' }), false).flatMap(({ text, isNext }) =>
    [...text.matchAll(/(?<![\w./-])signalbox (?=[a-z-])(.*)/g)].map(([, rest = '']) => ({
      argv: wordsOf(rest.replace(/^([a-z]+)X/, '$1 ')),
      isNext,
    })),
  );
}

/** Why it is invalid; null if it is valid. Prose may follow a line outside a `next`. */
export function faultOf({ argv, isNext }: PrintedCommandLine): string | null {
  const [name = '', ...rest] = argv;
  const typed = isNext ? argv : [name, ...rest.slice(0, lastFlag(rest))];
  const dashes = typed.indexOf('--');
  const line = parseCommandLine(dashes < 0 ? typed : [...typed.slice(0, dashes), '--', 'true']);
  if (line.kind === 'mistake') return isPassed(line.message, isNext) ? null : line.message;
  const first = line.kind === 'run' ? line.row.args?.[0] : undefined;
  const word = rest[0];
  const isOther = first?.choices !== undefined && word !== undefined && /^[a-z]/.test(word);
  return isOther && !first.choices.includes(word) ? `there is no ${first.name} "${word}"` : null;
}

/** After the last flag prose may begin. */
function lastFlag(words: readonly string[]): number {
  const at = words.findLastIndex((word) => word.startsWith('-'));
  return at < 0 ? 0 : at + 2;
}

/** A word in capitals is one of the choices. */
function isPassed(message: string, isNext: boolean): boolean {
  return /must be one of/.test(message) || (!isNext && /is missing|too many arguments/.test(message));
}

/** Parsed like a shell, up to the prose after them. */
function wordsOf(text: string): readonly string[] {
  const line =
    text.split(/ {2}|[…,;:·()<\\`\n]|\.(?: |$)| (?:is|are|needs|makes|opens|for|on|there|or|in)\b/)[0] ?? '';
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'?|"[^"]*"?)+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
}

type Text = Readonly<{ text: string; isNext: boolean }>;
type Node = Readonly<Record<string, unknown>>;

function textsIn(value: unknown, isNext: boolean): readonly Text[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, isNext));
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  if (node['type'] === 'Literal')
    return typeof node['value'] === 'string' ? [{ text: node['value'], isNext }] : [];
  const isWithin = isNext || nameOf(node['key']) === 'next';
  if (node['type'] !== 'TemplateLiteral')
    return Object.values(node).flatMap((child) => textsIn(child, isWithin));
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  const inner = textsIn(node['expressions'], isWithin);
  return [{ text: quasis.map(({ value: { cooked } }) => cooked).join('X'), isNext: isWithin }, ...inner];
}

function nameOf(key: unknown): unknown {
  return typeof key === 'object' && key !== null ? (key as Node)['name'] : undefined;
}
