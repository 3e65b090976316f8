import type { SubcommandRow } from './subcommand-row.ts';
import { globalFlags, subcommandTable } from './subcommand-table.ts';

/** A script that completes subcommands, their flags, and ids, for which it asks the program. */
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

/** Subcommands that take ids, as a pattern of `case`. */
function takersOfIds(between: string): string {
  const takers = subcommandTable.filter(({ args = [] }) =>
    args.some(({ commands }) => commands !== undefined),
  );
  return takers.map(({ name }) => name).join(between);
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
  COMPREPLY=()
  if [[ "$word" != -* ]]; then
    case "$subcommand" in
      ${takersOfIds('|')}) _signalbox_ids "$word" ;;
    esac
    (( \${#COMPREPLY[@]} > 0 )) && return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
# What an id stands for is shown in lists alone: what is not listed is inserted.
_signalbox_ids() {
  local id what
  while IFS=$'\\t' read -r id what; do
    [[ "$id" == "$1"* ]] || continue
    case "\${COMP_TYPE:-9}" in
      33|63|64) COMPREPLY+=("$id  $what") ;;
      *) COMPREPLY+=("$id") ;;
    esac
  done < <("\${COMP_WORDS[0]}" completion --ids "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
  (( \${#COMPREPLY[@]} == 1 )) && COMPREPLY=("\${COMPREPLY[0]%% *}")
}
complete -o default -o nosort -F _signalbox signalbox 2>/dev/null || complete -o default -F _signalbox signalbox
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
  local subcommand="" i id what
  local -a ids shown
  for ((i = 2; i < CURRENT; i++)); do
    case "$words[i]" in
      -C) ((i++)) ;;
      -*) ;;
      *) subcommand="$words[i]"; break ;;
    esac
  done
  if [[ "$words[CURRENT]" != -* ]]; then
    case "$subcommand" in
      ${takersOfIds('|')})
        while IFS=$'\\t' read -r id what; do
          ids+=("$id")
          shown+=("$id  $what")
        done < <("$words[1]" completion --ids "\${(j: :)words[1,CURRENT]}" 2>/dev/null </dev/null)
        (( $#ids )) && compadd -V ids -l -d shown -- $ids && return ;;
    esac
  fi
  case "$subcommand" in
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
  return `# fish completion of signalbox
function __signalbox_ids
  set -l words (commandline -opc)
  $words[1] completion --ids "$words "(commandline -ct) 2>/dev/null </dev/null
end
${lines.join('\n')}
complete -c signalbox -n '__fish_seen_subcommand_from ${takersOfIds(' ')}' -f -k -a '(__signalbox_ids)'
`;
}

function escaped(text: string): string {
  return text.replaceAll("'", '').replaceAll('`', '').replaceAll(':', '');
}
