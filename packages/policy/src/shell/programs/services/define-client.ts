import { type Invocation, NETWORK, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';

/** A client of a service: most of its effects are remote, so its verbs are judged coarsely. */
export type ServiceClient = Readonly<{
  names: readonly string[];
  /** Verbs that only read; `warning`, because they use the network. */
  reads: RegExp;
  /** How many words may be verbs; the words after them are names. Default 2, as in `gh pr list`. */
  depth?: number;
  /** Verbs and options with which even a read writes files here. */
  writes?: RegExp;
  /** Verbs that only read this machine, alone or with all that follows: safe. */
  local?: RegExp;
  /** Verbs that destroy, change or publish. */
  changes: RegExp;
  /** First words with verbs of their own: `gh alias list` only lists, though `gh alias` may act. */
  groups?: RegExp;
  /** For verbs in neither list. Default `warning`. */
  otherwise?: 'warning' | 'dangerous';
  judge?: (invocation: Invocation) => void;
  examples: NonNullable<Rule['examples']>;
}>;

type ClientProgram = Rule & Readonly<{ names: readonly string[] }>;

export function defineClient(client: ServiceClient): ClientProgram {
  const { names, examples } = client;
  return { names, examples, unknownOptions: 'any', judge: (invocation) => judgeClient(client, invocation) };
}

function judgeClient(client: ServiceClient, invocation: Invocation): void {
  const { reads, local, changes, writes, groups, depth = 2, otherwise = 'warning' } = client;
  const { context, span, program } = invocation;
  // `terraform -chdir=infra validate`: its folder comes before the verb.
  const words = invocation.words.filter(
    (word) => !/^-chdir=(?!.*\.\.)[\w.-][\w./-]*$/.test(textOf(word) ?? ''),
  );
  const texts = words.map((word) => beginningOf(word)).filter((text) => !text.startsWith('-'));
  const isDynamic = words.some((word) => word.kind === 'dynamic' && beginningOf(word) === '');
  const lists = groups?.test(texts[0] ?? '') === true && texts.slice(1, 3).some((text) => LISTS.test(text));
  const isChange =
    isDynamic || (texts.slice(lists ? 1 : 0).some((text) => changes.test(text)) && !isDry(words));
  if (asksForHelp(words)) return;
  client.judge?.({ ...invocation, words });
  const line = words.map((word) => beginningOf(word)).join(' ');
  const isHere = local !== undefined && (local.test(texts[0] ?? textOf(words[0]) ?? '') || local.test(line));
  if (!isChange && isHere && words.every((word, at) => staysHere(word, words[at + 1]))) return;
  const isRead = lists || texts.slice(0, depth).some((text) => reads.test(text));
  if (words.some((word) => writes?.test(beginningOf(word)) === true)) context.report.effect(WRITES_UNKNOWN);
  context.report.effect(NETWORK);
  context.report.effect({ kind: 'process', program });
  if (!isRead) context.report.effect(WRITES_UNKNOWN);
  const level =
    isChange || showsSecret(words.map((word) => beginningOf(word)))
      ? 'dangerous'
      : isRead || isDry(words)
        ? 'warning'
        : otherwise;
  const does = level === 'dangerous' ? 'changes' : 'contacts';
  context.report.raise(level, level === 'dangerous' ? 'service-change' : 'network', {
    text: `${does} a service with ${program}`,
    span,
  });
}

const LISTS = /^(?:list|ls|status|history|view|show|describe|read|inspect)$/;

/** Options and operands with which a read of this machine writes nothing and uses no network. */
function staysHere(word: Word, next: Word | undefined): boolean {
  const text = textOf(word);
  if (text === undefined || text.includes('://')) return false;
  if (!text.startsWith('-')) return true;
  if (/^(?:-o|--output)$/.test(text)) return /^(?:json|yaml|name)$/.test(textOf(next) ?? '');
  return STAYS_HERE.test(text);
}

const STAYS_HERE =
  /^--?(?:client|short|json|check|recursive|diff|list|no-color|no-tests|strict|quiet|with-subcharts|set|set-string|set-json|values|f|n|namespace|kube-version|api-versions|show-only|s|name-template|include-crds|skip-crds|skip-tests|debug|test-directory|help|h|version|V|v|q|services|volumes|profiles|images|output=(?:json|yaml)|o=?(?:json|yaml)|write=false)(?:=|$)/;

/** `docker system prune --help`, `terraform -help`; words after `run` or `exec` belong to another program. */
function asksForHelp(words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '');
  const plain = texts
    .slice(0, -1)
    .every((text) => /^[a-z][\w:-]*$/.test(text) && !/^(?:run|exec|ssh|shell)$/.test(text));
  return (plain || texts.length === 2) && texts.length <= 5 && /^--?help$/.test(texts.at(-1) ?? '');
}

/** `--dry-run` prints what would happen; only before `--`, since the words after it belong to another program. */
function isDry(words: readonly Word[]): boolean {
  const end = words.findIndex((word) => textOf(word) === '--');
  const own = end < 0 ? words : words.slice(0, end);
  if (own.some((word) => /^(?:run|exec|ssh|shell)$/.test(textOf(word) ?? ''))) return false;
  return own.some((word) => /^--dry-?run(?:=(?:client|server|true))?$/.test(textOf(word) ?? ''));
}

/** Verbs and options of many clients that print a key. */
function showsSecret(texts: readonly string[]): boolean {
  return texts.some(
    (text) =>
      /(?:^|[-:])(?:tokens?|credentials?|passwords?|passphrase|secrets?|api-?keys?|access-keys?|private-keys?|ssh-keys?)$/.test(
        text,
      ) ||
      /^(?:--(?:with-decryption|show-token|show-secrets?|show-values|reveal|raw)|get-parameters?|assume-role|config:get)$/.test(
        text,
      ),
  );
}
