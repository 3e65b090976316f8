import { definePrograms, named, WRITES_UNKNOWN } from '../../program.ts';
import { textOf, type Word } from '../../word.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';

/** Options that make a list of packages longer or shorter. */
const LIST_OPTIONS: ReadonlySet<string> = new Set(
  named(
    '-l -L -s -S -qa -qi -ql -qf -Q -Qi -Qs -Ql -Qe -Qm -q -a -v -1 -i -h --list --listfiles --status --installed --upgradable --manual-installed --all-versions --versions --formula --cask --full-name --multiple --pinned --leaves --all --names-only --json --quiet --verbose --tree --include-build --include-optional --for-each --global --local --current --missing --prefix --last --help --version',
  ),
);

function isOfList(word: Word): boolean {
  const text = textOf(word) ?? '-?';
  return text.startsWith('-') ? LIST_OPTIONS.has(text) : /^[\w@.:+/*~^-]*$/.test(text);
}

/** Package managers of the machine, and of language versions. */
export const machinePackages = definePrograms({
  names: named(
    'apt apt-get aptitude dpkg yum dnf rpm pacman zypper apk brew port snap flatpak nix nix-env emerge choco winget scoop asdf mise nvm volta fnm pyenv rbenv sdk corepack apt-cache apt-key add-apt-repository',
  ),
  unknownOptions: 'any',
  judge: ({ words, program, context, span }) => {
    const verb = textOf(words[0]) ?? '';
    const local =
      /^(?:list|show|search|info|policy|madison|depends|rdepends|-l|-L|-s|-S|-q|-ql|-qf|-qa|-Q|-Qi|-Qs|-Ql|-qi|--list|which|where|current|ls|outdated|deps|leaves|versions|version|help)$/.test(
        verb,
      );
    const plain = words.every(isOfList);
    if (local && plain && !/^(?:nix|sdk)$/.test(program)) {
      return context.report.raise(
        /^(?:search|outdated|info)$/.test(verb) ? 'warning' : 'safe',
        'package-list',
        { text: 'lists packages', span },
      );
    }
    context.report.raise(
      /^(?:apt-key|add-apt-repository)$/.test(program) ? 'dangerous' : 'warning',
      'installs',
      { text: 'installs or removes system packages', span },
    );
    judgeInnerCommand(words, context);
    context.report.effect({ kind: 'network' });
    context.report.effect(WRITES_UNKNOWN);
  },
  examples: {
    safe: ['dpkg -l', 'brew list', 'apt list --installed', 'rpm -q bash'],
    warning: [
      "rpm -qa --pipe './x'",
      'apt list -o Dir::Bin::dpkg=./x',
      'apt-get install x',
      'brew install x',
      'brew search x',
    ],
  },
});
