import {
  definePrograms,
  type Invocation,
  NETWORK,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { touchNames } from '../../paths/named-secrets.ts';
import { absolutePath } from '../../paths/paths.ts';
import { noteFetchedFolder } from '../../paths/written.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, textOf, type Word } from '../../word.ts';
import { unpackInto } from './unpack-into.ts';

/** Parses both styles of `tar`, letters and long names. */
export const tar = definePrograms({
  names: ['tar', 'gtar', 'bsdtar'],
  unknownOptions: 'any',
  judge: judgeTar,
  examples: {
    safe: ['tar cf - src | wc -c', 'tar tzf a.tgz', 'tar -tf a.tar'],
    warning: [
      'tar -xzf a.tgz -C out',
      'tar czf a.tgz src',
      'tar xf a.tar',
      'tar --create --file=a.tar src',
      'tar -I zstd -cf a.tar.zst src',
      'tar -cf a.tar -X .gitignore src',
      'tar --exclude-from=.gitignore -cf a.tar src',
    ],
    dangerous: [
      'tar tf me@host:a.tar',
      'tar xf a.tar -C /tmp',
      'tar cf x.tar . --checkpoint-action=exec=./y',
      'tar cf x.tar ~/.ssh',
      "tar xf a.tar --to-command='./y'",
      'tar xPf a.tar',
      'tar cf x.tar --remove-files src',
    ],
    blocked: ['tar xf a.tar -C /', 'tar cf x.tar . -I "sudo id"', 'tar xf a -C /etc'],
  },
});

/** Options that take a value, so that it is not read as a file. */
const TAR_VALUES = 'bCfFgHIKLNTVX';

function judgeTar(invocation: Invocation): void {
  const { words, context, span } = invocation;
  const { mode, flags, file, folder, operands } = readTar(words, context);
  if (/P/.test(flags))
    context.report.raise('dangerous', 'outside-workspace', { text: 'unpacks to absolute paths', span });
  if (mode === 't' || mode === 'd') return readArchive(file, context);
  if (mode === 'x') {
    readArchive(file, context);
    if (/O/.test(flags)) {
      context.report.sources.decoded += 1;
      return;
    }
    if (context.state.stdin.origin.network && context.state.cwd !== undefined)
      noteFetchedFolder(absolutePath(textOf(folder) ?? '.', context.state.cwd), context);
    return unpackInto(folder, context, span);
  }
  if (mode === undefined) {
    context.report.raise('warning', 'unknown-option', { text: 'runs tar without a known mode', span });
    return context.report.effect(WRITES_UNKNOWN);
  }
  for (const word of operands) touchRead(context, inFolder(word, folder), { scope: 'tree' });
  // Without `-f` an archive goes to standard output, or to a tape, which is not expected.
  if (file === undefined || textOf(file) === '-') return;
  context.report.raise('warning', 'packs', { text: 'packs files', span });
  touchWrite(context, file);
}

type Tar = {
  mode: string | undefined;
  flags: string;
  file: Word | undefined;
  folder: Word | undefined;
  operands: Word[];
};

const TAR_LONG: Readonly<Record<string, string>> = {
  '--extract': 'x',
  '--get': 'x',
  '--create': 'c',
  '--list': 't',
  '--diff': 'd',
  '--compare': 'd',
  '--append': 'r',
  '--update': 'u',
  '--concatenate': 'A',
  '--catenate': 'A',
  '--delete': 'D',
  '--to-stdout': 'O',
  '--absolute-names': 'P',
};

/** Parses both styles: `tar xzf a` and `tar -x -z -f a`. */
function readTar(words: readonly Word[], context: EvaluationContext): Tar {
  const found: Tar = { mode: undefined, flags: '', file: undefined, folder: undefined, operands: [] };
  for (let at = 0, word = words[at]; word !== undefined; at += 1, word = words[at]) {
    const text = beginningOf(word);
    if (text.startsWith('--')) at += readLongOption(word, text, { next: words[at + 1], found, context });
    else if (text.startsWith('-') || at === 0)
      at += readLetters(word, text.replace(/^-/, ''), {
        rest: words.slice(at + 1),
        old: at === 0 && !text.startsWith('-'),
        found,
        context,
      });
    else found.operands.push(word);
  }
  return found;
}

/** Returns how many of the following words were values. */
function readLetters(
  word: Word,
  letters: string,
  {
    rest,
    old,
    found,
    context,
  }: Readonly<{ rest: readonly Word[]; old: boolean; found: Tar; context: EvaluationContext }>,
): number {
  let used = 0;
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters.charAt(at);
    if ('xctdruA'.includes(letter)) found.mode = letter;
    else if (TAR_VALUES.includes(letter)) {
      const glued = letters.slice(at + 1);
      const value = old || glued === '' ? rest[used] : literal(glued, word.span);
      if (old || glued === '') used += 1;
      giveValue(letter, value, { found, context });
      if (!old) break;
    } else found.flags += letter;
  }
  if (textOf(word) === undefined) {
    context.report.raise('warning', 'unknown-option', {
      text: "passes an option to tar that can't be determined",
      span: word.span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
  return used;
}

function giveValue(
  letter: string,
  value: Word | undefined,
  { found, context }: Readonly<{ found: Tar; context: EvaluationContext }>,
): void {
  if (value === undefined) return;
  if (letter === 'f') found.file = value;
  if (letter === 'C') found.folder = value;
  if (letter === 'T') touchNames(context, value);
  if (letter === 'X') touchRead(context, value);
  if (letter === 'I' || letter === 'F') startedBy(value, context);
  if (letter === 'g') touchWrite(context, value);
}

function readLongOption(
  word: Word,
  text: string,
  { next, found, context }: Readonly<{ next: Word | undefined; found: Tar; context: EvaluationContext }>,
): number {
  const [name = '', glued] = text.split(/=(.*)/s);
  const value = glued === undefined ? next : { ...word, kind: 'literal' as const, text: glued };
  const used = glued === undefined ? 1 : 0;
  const is = (full: string, least: number): boolean => full.startsWith(name) && name.length >= least;
  const mode = Object.entries(TAR_LONG).find(
    ([full]) => full === name || (name.length > 5 && full.startsWith(name)),
  );
  if (mode !== undefined) {
    if ('OP'.includes(mode[1])) found.flags += mode[1];
    else found.mode = mode[1];
    return 0;
  }
  if (is('--file', 4)) giveValue('f', value, { found, context });
  else if (is('--directory', 4)) giveValue('C', value, { found, context });
  else if (is('--files-from', 7)) giveValue('T', value, { found, context });
  else if (is('--exclude-from', 10)) giveValue('X', value, { found, context });
  else if (is('--index-file', 5)) giveValue('g', value, { found, context });
  else if (/^--(?:use-c|to-c|info|new-v|rsh|rmt|checkpoint-a)/.test(name)) {
    if (value !== undefined) startedBy(value, context);
  } else if (/^--(?:remove|recursive-unlink|unlink|one-top|transf|xform|strip)/.test(name)) {
    if (/^--remove|^--recursive-unlink/.test(name))
      context.report.raise('dangerous', 'deletes', {
        text: 'deletes files after packing them',
        span: word.span,
      });
    return glued === undefined && /^--(?:transf|xform|strip)/.test(name) ? 1 : 0;
  } else if (!KNOWN_TAR.test(name)) {
    context.report.raise('warning', 'unknown-option', {
      text: `passes an unknown option to tar: ${name}`,
      span: word.span,
    });
    context.report.effect(WRITES_UNKNOWN);
    return 0;
  } else return 0;
  return used;
}

const KNOWN_TAR =
  /^--(?:gzip|gunzip|bzip2|xz|zstd|lzip|lzma|verbose|exclude(?:-vcs|-vcs-ignores)?|no-recursion|keep-old-files|overwrite|wildcards|no-same-owner|no-same-permissions|same-permissions|preserve-permissions|sort|mtime|owner|group|numeric-owner|format|auto-compress|totals|show-transformed-names|skip-old-files|touch|dereference|anchored|ignore-failed-read|warning|checkpoint|no-xattrs|xattrs|posix)$/;

/** `exec=./y` or `./y`: a program that tar starts. */
function startedBy(value: Word, context: EvaluationContext): void {
  context.report.raise('warning', 'starts-program', { text: 'starts a program from tar', span: value.span });
  const text = textOf(value)?.replace(/^(?:exec=|shell=)/, '');
  if (textOf(value)?.startsWith('exec=') === true || text === undefined) {
    context.report.raise('dangerous', 'starts-program', {
      text: 'starts a program from tar that the line names',
      span: value.span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
  if (text === undefined || /^(?:zstd|gzip|pigz|xz|bzip2|lz4|pixz|lzip)(?: -[0-9T]+)*$/.test(text)) return;
  context.report.raise('dangerous', 'starts-program', {
    text: 'starts a program from tar that the line names',
    span: value.span,
  });
  context.walk.runText(text, value.span, context);
}

/** `host:a.tar` is on another machine, and is fetched by a shell there. */
function readArchive(file: Word | undefined, context: EvaluationContext): void {
  if (file === undefined) return;
  if (!/^[^/]+:/.test(beginningOf(file))) return touchRead(context, file);
  context.report.effect(NETWORK);
  context.report.raise('dangerous', 'network', { text: 'connects to another machine', span: file.span });
}

/** Names are relative to the folder of `-C`. */
function inFolder(word: Word, folder: Word | undefined): Word {
  const base = textOf(folder);
  const name = textOf(word);
  if (base === undefined || name === undefined || name.startsWith('/')) return word;
  return { ...word, kind: 'literal', text: `${base}/${name}` };
}
