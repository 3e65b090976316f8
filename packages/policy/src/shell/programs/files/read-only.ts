import { definePrograms, named, NETWORK } from '../../program.ts';
import { evaluateName } from '../../expansion/evaluate.ts';
import { hasOption } from '../../options.ts';
import { beginningOf, isDataOption, mayBeOption, mayBeSeveral, show, textOf, type Word } from '../../word.ts';

const SECRET_NAME = /SECRET|TOKEN|PASSW|API_?KEY|PRIVATE_?KEY|CREDENTIAL/i;

/** Programs that report on files, the machine or their own arguments, and read no content. */
export const readOnlyPrograms = definePrograms(
  {
    names: ['ls', 'dir', 'vdir', 'exa', 'eza', 'lsd'],
    options:
      '-# -aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvxXZ1@eOPW% -I: -w: -T: --all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --literal --numeric-uid-gid --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero --tree --level= --git --icons? --long --git-ignore --only-dirs --header',
    anyOption: 'harmless',
    operands: 'list',
    examples: {
      safe: ['ls', 'ls -la src', 'ls -1 *.ts', 'ls $dir'],
      warning: ['ls ~/.ssh', 'ls --frobnicate'],
    },
  },
  {
    names: ['stat'],
    options: '-fFLlnqrstx -c: --dereference --file-system --cached= --format= --printf= --terse',
    anyOption: 'harmless',
    operands: 'list',
    examples: { safe: ['stat -c %s a'], warning: ['stat -t ~/.ssh/id_rsa'] },
  },
  {
    names: ['du', 'df'],
    options:
      '-# -0aAbcDhHiIklLmnPsSTx -B: -d: -t: -X:read --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --files0-from=names --human-readable --inodes --dereference --no-dereference --null --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude-from=read --exclude= --one-file-system --count-links --local --output? --portability --print-type --type= --exclude-type= --no-sync --sync',
    anyOption: 'harmless',
    operands: 'list',
    examples: { safe: ['du -sh src', 'df -h'], warning: ['du -s ~/.ssh'] },
  },
  {
    names: named('readlink realpath basename dirname pathchk namei lsattr getfacl findmnt lsblk'),
    options:
      '-# -aAbcCdDeEfFhIijJklLmMnNoOpPqQrRtTuUvVwxyzZ0S -s --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --relative-to= --relative-base= --logical --physical --strip --no-symlinks --multiple --suffix= --portability --output= --types= --source= --target= --json --list --noheadings --raw --bytes --paths --tree --fs --nodeps --include= --exclude=',
    anyOption: 'harmless',
    operands: 'list',
    examples: { safe: ['realpath --relative-to=. a', 'basename a.ts .ts', 'readlink -f a'] },
  },
  {
    names: named(
      'pwd true false : whoami id groups logname uname nproc uptime tty who w users last hostid getconf locale cal ncal free vmstat iostat lscpu lsusb lspci sw_vers clear reset tput sleep times dirs lsmod lsb_release getent',
    ),
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, program, context, span }) => {
      if (program === 'lspci' && words.some((word) => /^-[a-zA-Z]*[qQ]/.test(textOf(word) ?? '-q'))) {
        context.report.effect(NETWORK);
        context.report.raise('warning', 'network', {
          text: 'looks up device names over the network',
          span,
        });
      }
      if (program !== 'getent') return;
      const texts = words.map((word) => beginningOf(word));
      if (texts.some((text) => /shadow/.test(text)))
        context.report.raise('dangerous', 'reads-secret', {
          text: 'reads password hashes',
          span,
        });
      if (texts.includes('passwd'))
        context.report.raise('warning', 'reads-accounts', {
          text: 'reads the list of user accounts',
          span,
        });
      if (!texts.some((text) => /^(?:ahosts|hosts|netgroup)/.test(text))) return;
      context.report.effect(NETWORK);
      context.report.raise('warning', 'network', { text: 'looks up a name on the network', span });
    },
    examples: {
      safe: ['pwd', 'true', 'uname -a', 'sleep 1', 'whoami'],
      warning: ['lspci -q', 'getent hosts x.example', 'getent passwd'],
      dangerous: ['getent shadow'],
    },
  },
  {
    names: named('ps pgrep top htop pstree lsof netstat ss pidof'),
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, context, span, program }) => {
      // `ps e` shows the environment of every process.
      const shows =
        program === 'ps' &&
        words.some((word) => /^(?:[a-df-zA-Z]*e[a-zA-Z]*|-[a-zA-DF-Z]*E[a-zA-Z]*)$/.test(textOf(word) ?? ''));
      if (shows)
        context.report.raise('warning', 'shows-environment', {
          text: 'shows the environment of processes',
          span,
        });
      if (program === 'ss' && words.some((word) => /^-[a-zA-Z]*K|^--k/.test(textOf(word) ?? ''))) {
        context.report.raise('dangerous', 'kills', { text: 'closes sockets of other programs', span });
      }
      if (!/^(?:ss|lsof)$/.test(program)) return;
      const saves = program === 'ss' ? /^-[a-zA-Z]*[DF]|^--(?:di|filter)/ : /^-[a-zA-Z]*D/;
      if (words.some((word) => mayBeOption(word) || saves.test(beginningOf(word)))) {
        context.report.raise('warning', 'writes-file', { text: 'saves its output to a file', span });
        context.report.effect({ kind: 'write-unknown' });
      }
    },
    examples: {
      safe: ['ps aux', 'pgrep node', 'lsof -i :3000'],
      warning: ['ps auxe', 'ps -E', 'ss -D x', 'lsof -D b/tmp/x'],
    },
  },
  {
    names: ['hostname', 'date'],
    options:
      '-# -aAdfiIksSuyR -d: -f:read -r: -I? -s: -v: -j --date= --file=read --reference=list --rfc-3339= --iso-8601? --rfc-email --rfc-2822 --universal --utc --resolution --debug --set= --fqdn --long --short --ip-address --all-ip-addresses --domain -b: -F:',
    raises: [
      {
        when: '--set -b -F',
        level: 'blocked',
        code: 'system-clock',
        text: 'sets the system clock or host name',
      },
    ],
    judge: ({ program, options, context, span }) => {
      const [first] = options.operands;
      const formats = options.operands.every(isFormat);
      const sets =
        program === 'hostname'
          ? hasOption(options, '--file') || first !== undefined
          : !formats && !hasOption(options, '-j');
      if (sets || (program === 'date' && hasOption(options, '-s'))) {
        context.report.raise('blocked', 'system-clock', {
          text: 'sets the system clock or host name',
          span,
        });
      }
    },
    examples: {
      safe: ['date', 'date +%s', 'date +"%F $x"', "date -d '2 days ago' +%F", 'hostname', 'date -u'],
      blocked: ['date +%F$x', 'date -s 12:00', 'hostname evil', 'hostname --file x'],
    },
  },
  {
    names: ['test', '['],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, context }) => {
      for (const [at, word] of words.entries()) {
        if (/^-[vR]$/.test(textOf(words[at - 1]) ?? ''))
          evaluateName(word, context, { unknown: 'dangerous' });
        // `[ $x ]`, `[ "$x" "$y" ]`: the word may be `-v` and a name whose subscript is evaluated.
        const next = words[at + 1];
        const isTest = mayBeSeveral(word) || (next?.kind === 'dynamic' && next.isNumber !== true);
        if (isTest && isDataOption(word))
          context.report.raise('warning', 'dynamic-name', {
            text: `may test a variable by name: ${show(word)}`,
            span: word.span,
          });
      }
    },
    examples: { safe: ['test -f a', '[ -n "$x" ]', '[ a = b ]'], dangerous: ["test -v 'a[$(id)]'"] },
  },
  {
    names: ['stty'],
    options: '-ag --all --save',
    judge: ({ options, context, span }) => {
      if (options.operands.every((word) => /^(?:size|speed)$/.test(textOf(word) ?? ''))) return;
      context.report.raise('warning', 'changes-terminal', { text: 'changes terminal settings', span });
    },
    examples: { safe: ['stty -a', 'stty size'], warning: ['stty raw', 'stty -echo'] },
  },
  {
    names: ['c++filt', 'addr2line', 'pkg-config'],
    options:
      '-_afinpsCt -e:read -s: --exe=read --functions --inlines --pretty-print --basenames --demangle? --no-params --types --cflags --cflags-only-I --cflags-only-other --libs --libs-only-l --libs-only-L --libs-only-other --exists --modversion --variable= --print-variables --atleast-version= --exact-version= --max-version= --list-all --static --short-errors --print-errors --silence-errors --all',
    examples: {
      safe: ['nm a.o | c++filt', 'addr2line -e a.out 0x1234', 'pkg-config --cflags --libs gtk4'],
    },
  },
  {
    names: ['which', 'type', 'whereis'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    examples: { safe: ['which node', 'type -a ls'] },
  },
  {
    names: ['whatis', 'apropos'],
    options:
      '-adelrwV -s: -m: -M: -L: --and --debug --exact --long --regex --wildcard --verbose --sections= --systems= --manpath= --locale= --help --version',
    examples: { safe: ['whatis ls', 'apropos -s 1 copy'], warning: ['apropos -C ./x a'] },
  },
  {
    names: ['man', 'info', 'help'],
    unknownOptions: 'listed',
    options: '-afkwWM1234567 -s: -P:shell --pager=shell --where --path --all',
    examples: {
      safe: ['man ls', 'help cd'],
      warning: ["man -P './x' ls", "man -H'./x' ls"],
      dangerous: ["man -P 'rm -rf lib' ls"],
    },
  },
  {
    names: ['bc'],
    options: '-hilqsvw --interactive --mathlib --quiet --standard --warn --version',
    operands: 'read',
    examples: { safe: ['bc -l'] },
  },
  {
    names: ['expr'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    examples: { safe: ['expr 1 + 2'] },
  },
  {
    names: ['printenv'],
    options: '-0 --null',
    anyOption: 'harmless',
    judge: ({ options, context, span }) => {
      const names = options.operands.map((word) => textOf(word));
      if (names.length === 0)
        context.report.raise('warning', 'shows-environment', { text: 'prints the whole environment', span });
      if (names.some((name) => name === undefined || SECRET_NAME.test(name))) {
        context.report.raise('dangerous', 'secret-variable', {
          text: 'prints a secret from the environment',
          span,
        });
      }
    },
    examples: { safe: ['printenv PATH'], warning: ['printenv'], dangerous: ['printenv GITHUB_TOKEN'] },
  },
);

/** `+"%F $x"`: any text after the plus is the format of the time. Without quotes it may be more words. */
function isFormat(word: Word): boolean {
  return beginningOf(word).startsWith('+') && !(word.kind === 'dynamic' && word.splits);
}
