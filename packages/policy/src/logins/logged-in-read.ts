import type { HostPattern, LoggedInTool, Settings } from '@signalbox/core';
import { plainCommandOf } from '../rules/plain-command.ts';

type Reads = Readonly<{
  /** First words that only read, separated by one space. */
  verbs: ReadonlySet<string>;
  /** Options that take a value, each with the allowed values. */
  valued: ReadonlyMap<string, RegExp>;
  flags: ReadonlySet<string>;
  /** Allowed form of any other word. */
  word: RegExp;
}>;

const TEXT = /^[^-].{0,500}$/su;
const NUMBER = /^\d{1,9}$/;
/** No address, no path upwards, no option. */
const NAME = /^[\w.#@+][\w./#@+-]{0,200}$/;

/**
 * Lines that only read what a person sees with their login. Every verb, option and word is listed: all others need
 * approval. Left out on purpose: what prints secrets (`docker inspect`, `kubectl get secrets`, `gh auth token`), what
 * opens a file or another address (`kubectl get -f`, `docker -H`), what runs code of the workspace (`terraform plan`),
 * and queries, since a `select` may call a function that writes.
 */
const READS: Readonly<Record<LoggedInTool, Reads>> = {
  docker: {
    // No `top`: the words after it are options of `ps` on the host, and `e` prints the environment.
    verbs: words('ps|images|logs|port|version|stats|container ls|image ls|network ls|volume ls'),
    valued: values([NUMBER, '-n --last'], [TEXT, '--format -f --filter --tail --since --until']),
    flags: flags(
      '-a --all -q --quiet -l --latest -s --size -t --timestamps --no-trunc --no-stream --digests',
    ),
    word: NAME,
  },
  gh: {
    verbs: words(
      'pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run view|run list|release view|release list|label list|workflow list',
    ),
    valued: values(
      [NUMBER, '-L --limit -j --job'],
      [/^[\w.-]{1,100}\/[\w.-]{1,100}$/, '-R --repo'],
      [
        TEXT,
        '--json -q --jq -s --state -A --author -a --assignee -l --label -S --search -B --base -H --head -b --branch -w --workflow -u --user',
      ],
    ),
    flags: flags(
      '-c --comments --log --log-failed --name-only --patch --required -v --verbose --exit-status',
    ),
    word: NAME,
  },
  kubectl: {
    verbs: words('get|describe|logs|top|version|explain|api-resources'),
    valued: values(
      [/^(?:json|yaml|wide|name)$/, '-o --output'],
      [NAME, '-n --namespace -c --container --since'],
      [NUMBER, '--tail'],
      [TEXT, '-l --selector --field-selector --sort-by'],
    ),
    flags: flags(
      '-A --all-namespaces -p --previous --no-headers --show-labels --all-containers --timestamps --recursive',
    ),
    // Other names of secrets contain the word: `secrets.v1.`, `externalsecrets`.
    word: /^(?!.*secret)[\w.][\w.,/-]{0,200}$/i,
  },
};

/** A read that a person enabled: the tool whose login it gets, and the only hosts that it may talk to. */
export type LoggedInRead = Readonly<{ tool: LoggedInTool; hosts: readonly HostPattern[] }>;

/** Null when the settings don't name the tool, or nothing would restrict the line to its hosts. */
export function switchedOnRead(
  line: string | null | undefined,
  { approval, sandbox: { network } }: Pick<Settings, 'approval' | 'sandbox'>,
): LoggedInRead | null {
  if (line == null || network.through !== 'gate' || network.commands !== 'approved') return null;
  const tool = loggedInReadOf(line);
  if (tool === null) return null;
  const hosts = approval.reads[tool];
  return hosts === null ? null : { tool, hosts };
}

/** The tool of a line that is one plain command and known to only read; otherwise null. */
export function loggedInReadOf(line: string): LoggedInTool | null {
  const [program, ...args] = plainCommandOf(line) ?? [];
  if (program === undefined || !isLoggedInTool(program)) return null;
  const reads = READS[program];
  const verb = [args.slice(0, 1), args.slice(0, 2)].find((some) => reads.verbs.has(some.join(' ')));
  return verb !== undefined && areKnown(args.slice(verb.length), reads) ? program : null;
}

function areKnown(args: readonly string[], { flags: known, valued, word }: Reads): boolean {
  const rest = [...args];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    const [given, glued] = splitOnce(next);
    const value = valued.get(given);
    if (value !== undefined) {
      const text = glued ?? rest.shift();
      if (text === undefined || !value.test(text)) return false;
    } else if (glued !== undefined || !(known.has(given) || word.test(given))) return false;
  }
  return true;
}

/** `--limit=5` and `--limit 5` are equivalent. */
function splitOnce(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function isLoggedInTool(program: string): program is LoggedInTool {
  return Object.hasOwn(READS, program);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split('|'));
}

function flags(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function values(...groups: readonly (readonly [RegExp, string])[]): ReadonlyMap<string, RegExp> {
  return new Map(groups.flatMap(([value, names]) => names.split(' ').map((name) => [name, value] as const)));
}
