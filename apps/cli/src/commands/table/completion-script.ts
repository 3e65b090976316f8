import type { Flag, SubcommandRow } from './subcommand-row.ts';
import { globalFlags, subcommandTable } from './subcommand-table.ts';

/** A script that completes subcommands, their flags, and ids, which it queries from the program. */
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

/** Possible words by position, generated from the table: the same for every shell. */
const SUBCOMMANDS = subcommandTable.map(({ name }) => name).join(' ');
/** Global flags with a value, which is not a subcommand: `-C shop`. */
const FLAGS_WITH_VALUE = globalFlags.flatMap(({ name, short, value }) =>
  value === undefined ? [] : [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
);

/** Words that may follow a subcommand: its own and the global flags, and the words of its arguments. */
function wordsOf(row: SubcommandRow): string {
  return [...choicesOf(row), ...flagsOf(row).map(({ name }) => `--${name}`)].join(' ');
}

function choicesOf({ args = [] }: SubcommandRow): readonly string[] {
  return args.flatMap(({ choices = [] }) => choices);
}

function flagsOf({ flags = [] }: SubcommandRow): readonly Flag[] {
  return [...flags, ...globalFlags];
}

/** Arms of a `case` over subcommand and the word before the cursor: `"token --role") words="viewer …" ;;`. */
function armsOfValues(variable: string): string {
  const arm = (pattern: string, { name, choices }: Flag): readonly string[] =>
    choices === undefined ? [] : [`    ${pattern} --${name}") ${variable}="${choices.join(' ')}" ;;`];
  return [
    ...subcommandTable.flatMap(({ name, flags = [] }) => flags.flatMap((flag) => arm(`"${name}`, flag))),
    ...globalFlags.flatMap((flag) => arm('*"', flag)),
  ].join('\n');
}

/** Subcommands that take ids. */
function takersOfIds(between: string): string {
  const takers = subcommandTable.filter(({ args = [] }) =>
    args.some(({ commands }) => commands !== undefined),
  );
  return takers.map(({ name }) => name).join(between);
}

function bashScript(): string {
  const cases = subcommandTable.map((row) => `      ${row.name}) words="${wordsOf(row)}" ;;`);
  return `# bash completion of signalbox
_signalbox() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" subcommand="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${FLAGS_WITH_VALUE.join('|')}) ((i++)) ;;
      -*) ;;
      *) subcommand="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  COMPREPLY=()
  case "$subcommand $before" in
${armsOfValues('words')}
  esac
  if [[ -z "$words" ]]; then
    if [[ "$word" != -* ]]; then
      case "$subcommand" in
        ${takersOfIds('|')}) _signalbox_ids "$word" ;;
      esac
      (( \${#COMPREPLY[@]} > 0 )) && return
    fi
    case "$subcommand" in
      "") words="${SUBCOMMANDS}" ;;
${cases.join('\n')}
    esac
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
  const names = subcommandTable.map(
    (row) => `    '${row.name}:${unquoted(row.brief).replaceAll(':', String.raw`\:`)}'`,
  );
  const cases = subcommandTable.map((row) => `    ${row.name}) offers="${wordsOf(row)}" ;;`);
  return `#compdef signalbox
# zsh completion of signalbox
_signalbox() {
  local -a subcommands ids shown
  subcommands=(
${names.join('\n')}
  )
  local line="\${(j: :)words[1,CURRENT]}" word="$words[CURRENT]" before="$words[CURRENT-1]" program="$words[1]"
  local subcommand="" i id what
  for ((i = 2; i < CURRENT; i++)); do
    case "$words[i]" in
      ${FLAGS_WITH_VALUE.join('|')}) ((i++)) ;;
      -*) ;;
      *) subcommand="$words[i]"; break ;;
    esac
  done
  if [[ -z "$subcommand" && "$word" != -* ]]; then
    _describe 'subcommand' subcommands
    return
  fi
  local offers=""
  case "$subcommand $before" in
${armsOfValues('offers')}
  esac
  if [[ -n "$offers" ]]; then
    compadd -- \${=offers}
    return
  fi
  if [[ "$word" != -* ]]; then
    case "$subcommand" in
      ${takersOfIds('|')})
        while IFS=$'\\t' read -r id what; do
          ids+=("$id")
          shown+=("$id  $what")
        done < <("$program" completion --ids "$line" 2>/dev/null </dev/null)
        (( $#ids )) && compadd -V ids -l -d shown -- $ids && return ;;
    esac
  fi
  case "$subcommand" in
    "") offers="${globalFlags.map(({ name }) => `--${name}`).join(' ')}" ;;
${cases.join('\n')}
  esac
  compadd -- \${=offers}
}
# A file of $fpath is the function itself at its first call; what is sourced tells zsh of it.
if [[ "$funcstack[1]" == _signalbox ]]; then
  _signalbox "$@"
else
  compdef _signalbox signalbox
fi
`;
}

function fishScript(): string {
  const flags = (of: string, some: readonly Flag[]): readonly string[] =>
    some.map(
      ({ name, short, value, choices, text }) =>
        `complete -c signalbox ${of}-l ${name}${short === undefined ? '' : ` -s ${short}`}${value === undefined ? '' : ' -r'}${choices === undefined ? '' : ` -f -a '${choices.join(' ')}'`} -d '${unquoted(text)}'`,
    );
  const lines = subcommandTable.flatMap((row) => [
    `complete -c signalbox -n '__signalbox_in ""' -f -a ${row.name} -d '${unquoted(row.brief)}'`,
    ...(choicesOf(row).length === 0
      ? []
      : [`complete -c signalbox -n '__signalbox_in ${row.name}' -f -a '${choicesOf(row).join(' ')}'`]),
    ...flags(`-n '__signalbox_in ${row.name}' `, row.flags ?? []),
  ]);
  return `# fish completion of signalbox
function __signalbox_in
  set -l subcommand ''
  set -l is_value no
  for word in (commandline -opc)[2..]
    if test $is_value = yes
      set is_value no
      continue
    end
    switch $word
      case ${FLAGS_WITH_VALUE.join(' ')}
        set is_value yes
      case '-*'
      case '*'
        set subcommand $word
        break
    end
  end
  contains -- "$subcommand" $argv
end
function __signalbox_ids
  set -l words (commandline -opc)
  $words[1] completion --ids "$words "(commandline -ct) 2>/dev/null </dev/null
end
${[...flags('', globalFlags), ...lines].join('\n')}
complete -c signalbox -n '__signalbox_in ${takersOfIds(' ')}' -f -k -a '(__signalbox_ids)'
`;
}

function unquoted(text: string): string {
  return text.replaceAll(/['`]/g, '');
}
