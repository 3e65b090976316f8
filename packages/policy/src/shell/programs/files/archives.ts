import { hasOption, valueOf } from '../../options.ts';
import { judgeNamesFromInput, touchHanded } from '../../paths/named-secrets.ts';
import { definePrograms, named, type Invocation, WRITES_UNKNOWN } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, literal, textOf } from '../../word.ts';
import { unpackInto } from './unpack-into.ts';

const SQUEEZE_OPTIONS =
  '-# -cdfhklLnNqrtTvVzZ019 -S: -p: -b: -M: -o:write --stdout --to-stdout --decompress --uncompress --force --keep --list --no-name --name --quiet --recursive --test --verbose --fast --best --compress --suffix= --threads= --rm --ultra --long? --format=';

/** Programs that pack and unpack. */
export const archives = definePrograms(
  {
    names: named('gzip bzip2 xz zstd lz4 lzma brotli compress pigz'),
    options: SQUEEZE_OPTIONS,
    judge: (invocation) =>
      squeeze(invocation, hasOption(invocation.options, '-d', '--decompress', '--uncompress')),
    examples: {
      safe: ['gzip -l a.gz', 'gzip -c a', 'gzip'],
      warning: ['gzip a', 'gzip -d a.gz', 'xz -k a', 'gzip -r logs', 'zstd -S a'],
      blocked: ['gzip -dc a | bash'],
    },
  },
  {
    names: ['gunzip', 'bunzip2', 'unxz', 'unzstd', 'unlz4', 'uncompress', 'unlzma'],
    options: SQUEEZE_OPTIONS,
    judge: (invocation) => squeeze(invocation, true),
    examples: { safe: ['gunzip -c a.gz'], warning: ['gunzip a.gz'], blocked: ['gunzip -c a.gz | sh'] },
  },
  {
    names: ['zip'],
    options:
      '-# -rqjmvuyXDoTelgFA9@ -i: -x: -b: -P: -n: -t: -s: -O:write --recurse-paths --quiet --names-stdin --junk-paths --exclude= --include= --test --unzip-command=shell --move --out=write',
    raises: [
      { when: '-m --move', level: 'dangerous', code: 'deletes', text: 'deletes files after packing them' },
      {
        when: '-T --test --unzip-command',
        level: 'warning',
        code: 'starts-program',
        text: 'runs a program to test the archive',
      },
    ],
    operands: ['write', 'read'],
    level: 'warning',
    code: 'packs',
    text: 'packs files',
    judge: ({ words, options, context, span }) => {
      const tester = words[words.findIndex((word) => textOf(word) === '-TT') + 1];
      if (words.some((word) => textOf(word) === '-TT') && tester !== undefined)
        context.walk.runText(textOf(tester) ?? '"$unknown"', tester.span, context);
      if (hasOption(options, '-@', '--names-stdin')) judgeNamesFromInput(context, span);
    },
    examples: {
      warning: ['zip -r out.zip src', 'git ls-files | zip -@ out.zip'],
      dangerous: [
        'ls .env | zip -@ out.zip',
        'zip x.zip .env',
        "zip x.zip a -T --unzip-command='rm -rf lib'",
        'zip x.zip a -T -TT "$x"',
      ],
    },
  },
  {
    names: ['unzip'],
    options: '-# -abcCDfjKlLMnopqtTuUvVWXZz -d: -x: -P: -O: -I:',
    judge: ({ options, context, span }) => {
      if (hasOption(options, '-l', '-t', '-p', '-c', '-v', '-Z', '-z')) {
        if (hasOption(options, '-p', '-c')) context.report.sources.decoded += 1;
        return;
      }
      unpackInto(valueOf(options, '-d'), context, span);
    },
    examples: {
      safe: ['unzip -l a.zip', 'unzip -Z1 a.zip'],
      warning: ['unzip a.zip', 'unzip a.zip -d out'],
      dangerous: ['unzip a.zip -d ~/x'],
    },
  },
  {
    names: ['zipinfo'],
    unknownOptions: 'any',
    examples: { safe: ['zipinfo a.zip'] },
  },
  {
    names: named('7z 7za 7zz rar unrar cpio pax ar unar'),
    unknownOptions: 'any',
    level: 'warning',
    code: 'packs',
    text: 'packs or unpacks files',
    effects: [WRITES_UNKNOWN],
    judge: ({ program, words, context, span }) => {
      touchHanded(words, context);
      if (program === 'cpio' || program === 'pax') judgeNamesFromInput(context, span);
      for (const word of words) {
        const glued = /^-o(?=.)|^(?:--output-directory|-d)=(?=.)/.exec(beginningOf(word));
        if (glued !== null) touchWrite(context, after(word, glued[0].length), { scope: 'tree' });
        else if (textOf(word)?.startsWith('/') === true) touchRead(context, word);
      }
    },
    examples: {
      warning: ['7z x a.7z', '7z x a.7z -oout'],
      dangerous: ['7z x a.7z -o/tmp/x', 'ls .env | cpio -o', '7z a x.7z .env'],
    },
  },
);

function squeeze({ program, options, context }: Invocation, unpacks: boolean): void {
  // For `zstd` it is a flag: what is read as its value is a file.
  const hidden = program.endsWith('zstd') ? valueOf(options, '-S') : undefined;
  if (hidden !== undefined) {
    touchWrite(context, hidden);
    context.report.effect(WRITES_UNKNOWN);
  }
  const prints = hasOption(options, '-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test');
  if (unpacks) context.report.sources.decoded += 1;
  for (const word of options.operands) {
    touchRead(context, word);
    const name = textOf(word);
    if (prints || name === '-') continue;
    if (hasOption(options, '-r', '--recursive')) {
      touchWrite(context, word, { scope: 'tree' });
      continue;
    }
    if (hasOption(options, '-S', '--suffix')) context.report.effect(WRITES_UNKNOWN);
    if (name === undefined) {
      touchWrite(context, word);
      context.report.effect(WRITES_UNKNOWN);
      continue;
    }
    if (!hasOption(options, '-k', '--keep')) touchWrite(context, word);
    const other = unpacks ? name.replace(/\.(?:gz|tgz|bz2|xz|zst|lz4|Z|lzma|br)$/, '') : undefined;
    if (other === undefined || other === name)
      context.report.raise('warning', 'packs', { text: 'packs a file', span: word.span });
    touchWrite(context, literal(other ?? name + (SUFFIXES[program] ?? '.gz'), word.span));
  }
}

const SUFFIXES: Readonly<Record<string, string>> = {
  bzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
  lz4: '.lz4',
  lzma: '.lzma',
  brotli: '.br',
  compress: '.Z',
};
