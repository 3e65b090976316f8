import { FRESH_FILE } from '../../paths/path-words.ts';
import { hasOption, valueOf } from '../../options.ts';
import { isInOwnFolder } from '../../paths/own-folders.ts';
import { definePrograms, type Invocation, WRITES_UNKNOWN } from '../../program.ts';
import { touchDelete, touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, PLAIN, show, textOf } from '../../word.ts';

/** Programs whose purpose is to change files. */
export const changeFiles = definePrograms(
  {
    names: ['rm', 'grm'],
    options:
      '-dfiIrRvWxP --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose',
    raises: [
      {
        when: '-r -R --recursive',
        level: 'dangerous',
        code: 'delete-recursive',
        text: 'deletes recursively',
      },
    ],
    level: 'warning',
    code: 'deletes',
    text: 'deletes files',
    changes: ({ operands }) => operands,
    judge: ({ options, context }) => {
      const recursive = hasOption(options, '-r', '-R', '--recursive');
      for (const word of options.operands) touchDelete(context, word, { scope: recursive ? 'tree' : 'file' });
    },
    examples: {
      warning: ['rm notes.txt', 'rm -f *.log'],
      dangerous: [
        'rm -rf lib',
        'rm -fr ./lib/',
        'rm --recursive x',
        'rm --rec x',
        'rm -rf /',
        'rm -rf ~',
        'rm "$x"',
        'rm *',
      ],
      blocked: ['rm -rf /etc', 'rm -rf /*'],
    },
  },
  {
    names: ['rmdir', 'unlink'],
    options: '-pv --ignore-fail-on-non-empty --parents --verbose',
    operands: 'delete',
    changes: ({ operands }) => operands,
    level: 'warning',
    code: 'deletes',
    text: 'deletes files or empty folders',
    examples: { warning: ['rmdir old', 'unlink a'] },
  },
  {
    names: ['mkdir', 'touch', 'mkfifo'],
    options:
      '-acfhpvZ -m -m: -d: -r:list -t: --mode= --parents --verbose --context? --no-create --date= --reference=list --time= --no-dereference',
    operands: 'write',
    changes: ({ operands }) => operands,
    level: 'warning',
    code: 'creates',
    text: 'creates files or folders',
    examples: {
      warning: ['mkdir -p a/b', 'touch {x,y}.md', 'mkdir -m 755 x'],
      dangerous: ['touch ../x', 'mkdir ~/x'],
      blocked: ['touch /etc/x'],
    },
  },
  {
    names: ['chmod'],
    options:
      '-cfvRHLPrwxXst --changes --silent --quiet --verbose --recursive --reference=list --preserve-root --no-preserve-root -u -g -o -a',
    level: 'warning',
    code: 'changes-mode',
    text: 'changes permissions',
    judge: judgeMode,
    examples: {
      warning: ['chmod +x run.sh', 'chmod 644 a', 'chmod -R u+w src'],
      dangerous: ['chmod o+w a', 'chmod u+s a', 'chmod 4755 a', 'chmod 666 a'],
      blocked: ['chmod 777 a', 'chmod -R 0777 .', 'chmod a+rwx a'],
    },
  },
  {
    names: ['chown', 'chgrp', 'setfacl', 'chattr', 'setfattr'],
    unknownOptions: 'any',
    level: 'dangerous',
    code: 'changes-owner',
    text: 'changes file ownership or access rights',
    judge: ({ options, context }) => {
      const recursive = options.unknown.some((word) => /R|recursive/.test(beginningOf(word)));
      for (const word of options.operands.slice(1))
        touchWrite(context, word, { scope: recursive ? 'tree' : 'file' });
    },
    examples: { dangerous: ['chown me a', 'chgrp -R staff src'], blocked: ['chown root /etc/x'] },
  },
  {
    names: ['tee', 'sponge'],
    options: '-aip --append --ignore-interrupts --output-error?',
    operands: 'write',
    examples: {
      safe: ['tee', 'tee /dev/null'],
      warning: ['tee a.txt', 'tee -a a b', 'jq . a | sponge a'],
      blocked: ['tee /etc/x'],
      dangerous: ['tee ~/.bashrc'],
    },
  },
  {
    names: ['truncate', 'fallocate'],
    options:
      '-cocdnvxz -s: -r:list -l: -o: --size= --no-create --io-blocks --reference=list --length= --offset=',
    operands: 'write',
    changes: ({ operands }) => operands,
    level: 'warning',
    code: 'writes-file',
    text: 'changes file sizes',
    examples: { warning: ['truncate -s 0 app.log'] },
  },
  {
    names: ['shred', 'srm', 'wipe', 'wipefs'],
    unknownOptions: 'any',
    operands: 'delete',
    level: 'dangerous',
    code: 'destroys',
    text: 'destroys data beyond recovery',
    examples: { dangerous: ['shred -u a'], blocked: ['wipefs -a /dev/sda'] },
  },
  {
    names: ['dd'],
    unknownOptions: 'any',
    judge: judgeDd,
    examples: {
      safe: ['dd if=a bs=1 count=4'],
      warning: ['dd if=a of=b'],
      blocked: ['dd if=a.img of=/dev/sdb', 'dd if=/dev/zero of=/etc/x'],
      dangerous: ['dd if=/dev/sda of=x'],
    },
  },
  {
    names: ['mktemp', 'tempfile'],
    unknownOptions: 'any',
    judge: judgeTemporary,
    examples: { warning: ['mktemp -d'] },
  },
  {
    names: ['split'],
    options:
      '-# -a: -b: -C: -l: -n: -t: -dexu --bytes= --lines= --line-bytes= --number= --separator= --suffix-length= --additional-suffix= --numeric-suffixes? --hex-suffixes? --elide-empty-files --unbuffered --verbose --filter=shell',
    level: 'warning',
    code: 'writes-file',
    text: 'splits a file into new files',
    judge: ({ options, context, span }) => {
      const [file, prefix] = options.operands;
      if (file !== undefined) touchRead(context, file);
      const pattern = prefix === undefined ? 'x*' : `${beginningOf(prefix)}*`;
      touchWrite(context, { kind: 'glob', pattern, span, origin: PLAIN });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: { warning: ['split -l 100 a part-'], dangerous: ["split --filter='rm -rf lib' a"] },
  },
  {
    names: ['csplit'],
    options:
      '-ksqz -b: -f:write -n: --suffix-format= --prefix=write --digits= --keep-files --suppress-matched --elide-empty-files --quiet --silent',
    operands: ['read', 'text'],
    level: 'warning',
    code: 'writes-file',
    text: 'splits a file into new files',
    effects: [WRITES_UNKNOWN],
    examples: {
      warning: ['csplit a /x/', 'csplit -f out/x a 10'],
      dangerous: ['csplit -f ../x a 1', 'csplit .env 1'],
    },
  },
  {
    names: ['patch'],
    options:
      '-# -bcefNnRstTuvZElF -B: -d: -D: -F: -g: -i:read -o:write -p: -r:write -V: -Y: -z: --dry-run --input=read --output=write --strip= --directory= --reverse --forward --force --batch --backup --quiet --silent --unified --remove-empty-files --reject-file=write --no-backup-if-mismatch --merge? --fuzz= --verbose --binary',
    judge: judgePatch,
    examples: {
      safe: ['patch --dry-run -p1 < x.diff'],
      warning: ['patch x.c x.diff', 'patch -p1 < x.diff', 'patch -i x.diff', 'patch -d web -p1 < x.diff'],
      dangerous: ['patch -d ../x -p1 < x.diff'],
    },
  },
);

/** It creates its file in `TMPDIR`, or in `/tmp`. */
function judgeTemporary({ words, context, span }: Invocation): void {
  const isUsual = words.every((word) =>
    /^(?:-d|-q|-dq|--directory|--quiet|--suffix=[\w.-]+)$/.test(textOf(word) ?? ''),
  );
  const isOwn = isInOwnFolder('/tmp/tmp.x', context.lineContext) && !context.state.variables.has('TMPDIR');
  if (isUsual && !context.state.variables.has('TMPDIR')) context.walk.printed(FRESH_FILE);
  if (isUsual && isOwn) return;
  context.report.raise('warning', 'creates', { text: 'creates a temporary file', span });
  context.report.effect(WRITES_UNKNOWN);
}

function judgeMode({ words, context, span, options }: Invocation): void {
  const recursive = hasOption(options, '-R', '--recursive');
  // `-x` removes a right: it is a mode, not an option.
  const given = words.filter((word) => !/^-(?:[cfvRHLP]+$|-)/.test(beginningOf(word)));
  const isCopied = hasOption(options, '--reference');
  for (const file of isCopied ? given : given.slice(1))
    touchWrite(context, file, { scope: recursive ? 'tree' : 'file' });
  if (isCopied) return;
  const text = textOf(given[0]);
  if (text === undefined)
    return context.report.raise('dangerous', 'changes-mode', {
      text: "sets permissions that can't be determined",
      span,
    });
  const all =
    /^[=+]?[0-7]?777$/.test(text) ||
    /(?:^|,)(?:a|[ugo]{3})[ugoa]*[+=][st]*(?=[rwx]*r)(?=[rwx]*w)(?=[rwx]*x)/.test(text);
  if (all)
    context.report.raise('blocked', 'world-writable', { text: `gives everyone full access: ${text}`, span });
  else if (/^[=+]?[0-7]*[2367]$/.test(text) || /(?:^|,)(?:[ug]*[oa][ugoa]*|)[+=][rxXst]*w/.test(text)) {
    context.report.raise('dangerous', 'world-writable', { text: 'lets everyone write', span });
  } else if (/[+=][rwxX]*s|^[=+]?0*[2-7][0-7]{3}$/.test(text)) {
    context.report.raise('dangerous', 'set-user-id', {
      text: 'lets a program run with its owner or group rights (setuid, setgid)',
      span,
    });
  }
}

function judgeDd({ words, context }: Invocation): void {
  for (const word of words) {
    const beginning = beginningOf(word);
    if (beginning.startsWith('of=')) touchWrite(context, after(word, 3));
    else if (beginning.startsWith('if=')) touchRead(context, after(word, 3));
    else if (!/^[a-z]+=/.test(beginning)) {
      context.report.raise('warning', 'unknown-option', {
        text: `passes an unknown operand to dd: ${show(word)}`,
        span: word.span,
      });
      context.report.effect(WRITES_UNKNOWN);
    }
  }
}

function judgePatch({ options, context, span }: Invocation): void {
  const [file, diff] = options.operands;
  if (diff !== undefined) touchRead(context, diff);
  if (hasOption(options, '--dry-run')) return;
  context.report.raise('warning', 'applies-patch', { text: 'applies a patch', span });
  if (hasOption(options, '-b', '--backup', '-B', '-Y', '-z', '-V')) context.report.effect(WRITES_UNKNOWN);
  if (hasOption(options, '-o', '--output')) return;
  const folder = valueOf(options, '-d', '--directory');
  if (folder !== undefined) touchWrite(context, folder, { scope: 'tree' });
  else if (file !== undefined) touchWrite(context, file);
  else context.report.effect(WRITES_UNKNOWN);
}
