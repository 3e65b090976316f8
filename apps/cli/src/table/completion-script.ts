import type { SubcommandRow } from './subcommand-row.ts';
import { globalFlags, subcommandTable } from './subcommand-table.ts';

/** A script that completes subcommands and their flags. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish'): string {
  switch (shell) {
    case 'bash':
      return bashScript();
    case 'zsh':
      return zshScript();
    case 'fish':
      return fishScript();
  }
}

/** Words that may follow a subcommand: its flags and those of all, and the words of its arguments. */
function wordsOf(row: SubcommandRow): readonly string[] {
  return [
    ...(row.args ?? []).flatMap(({ choices }) => choices ?? []),
    ...[...(row.flags ?? []), ...globalFlags].map(({ name }) => `--${name}`),
  ];
}

function bashScript(): string {
  const cases = subcommandTable.map((row) => `    ${row.name}) words="${wordsOf(row).join(' ')}" ;;`);
  return `# bash completion of signalbox
_signalbox() {
  local word="\${COMP_WORDS[COMP_CWORD]}" subcommand="" words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      -C) ((i++)) ;;
      -*) ;;
      *) subcommand="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$subcommand" in
    "") words="${subcommandTable.map(({ name }) => name).join(' ')}" ;;
${cases.join('\n')}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _signalbox signalbox
`;
}

function zshScript(): string {
  const names = subcommandTable.map((row) => `    '${row.name}:${escaped(row.brief)}'`);
  const cases = subcommandTable.map((row) => `    ${row.name}) compadd -- ${wordsOf(row).join(' ')} ;;`);
  return `#compdef signalbox
# zsh completion of signalbox
_signalbox() {
  local -a subcommands
  subcommands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'subcommand' subcommands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
_signalbox "$@"
`;
}

function fishScript(): string {
  const lines = subcommandTable.flatMap((row) => [
    `complete -c signalbox -n __fish_use_subcommand -f -a ${row.name} -d '${escaped(row.brief)}'`,
    ...(row.flags ?? []).map(
      ({ name, short, value, text }) =>
        `complete -c signalbox -n '__fish_seen_subcommand_from ${row.name}' -l ${name}${short === undefined ? '' : ` -s ${short}`}${value === undefined ? '' : ' -r'} -d '${escaped(text)}'`,
    ),
  ]);
  return `# fish completion of signalbox\n${lines.join('\n')}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("'", '').replaceAll('`', '').replaceAll(':', '');
}
