import { locate } from './paths.ts';
import { type EvaluationContext, WRITES_UNKNOWN } from '../program.ts';
import { after, beginningOf, literal, textOf, textsOf, type Word } from '../word.ts';

/** Options by which a program runs the project of a folder other than its own. */
type Elsewhere = Readonly<{
  programs: readonly string[];
  /** Options whose value is that folder. */
  folders?: readonly string[];
  /** Options whose value is a file in it. */
  files?: readonly string[];
  /** Options that select packages, by their names or folders. */
  packages?: readonly string[];
  /** All other options that take the next word, before the program that a verb starts. */
  values?: readonly string[];
  /** Whether long options may be abbreviated. */
  isAbbreviated?: boolean;
  /** A verb that is followed by another program and its own options. */
  starts?: RegExp;
  /** Each such folder is below the one before. */
  isNested?: boolean;
}>;

const STARTS = /^(?:exec|x|dlx)$/;

const UV_VALUES = (
  '--with -w --with-editable --with-requirements --extra --no-extra --group --no-group --only-group --env-file --package ' +
  '--python -p --python-platform --index --default-index -i --index-url --extra-index-url -f --find-links -P ' +
  '--upgrade-package --index-strategy --keyring-provider --resolution --prerelease --fork-strategy --exclude-newer ' +
  '--link-mode --reinstall-package --refresh-package -C --config-setting --cache-dir --config-file --color ' +
  '--allow-insecure-host'
).split(' ');

const ELSEWHERE: readonly Elsewhere[] = [
  // It reads its own options up to `--`, also after the program that `npm exec` starts.
  {
    programs: ['npm'],
    folders: ['--prefix', '-C'],
    packages: ['--workspace', '-w'],
    isAbbreviated: true,
  },
  {
    programs: ['pnpm'],
    folders: ['--dir', '-C'],
    packages: ['--filter', '--filter-prod', '-F'],
    values: ['--package', '-p', '--reporter', '--loglevel'],
    isAbbreviated: true,
    starts: STARTS,
  },
  { programs: ['yarn', 'bun'], folders: ['--cwd'], starts: STARTS },
  {
    programs: ['make', 'gmake', 'bmake', 'ninja', 'meson'],
    folders: ['-C', '--directory'],
    isNested: true,
    isAbbreviated: true,
  },
  // Go accepts it only as the first option: elsewhere it is an option of the program that it starts.
  { programs: ['go'], folders: ['-C', '--C'], starts: /^run$/ },
  { programs: ['cargo'], folders: ['-C'], files: ['--manifest-path'] },
  { programs: ['uv'], folders: ['--directory', '--project'], values: UV_VALUES, starts: /^run$/ },
  { programs: ['poetry'], folders: ['--directory', '--project', '-C', '-P'], starts: /^run$/ },
  { programs: ['pdm'], folders: ['--project', '-p'], starts: /^run$/ },
  { programs: ['composer'], folders: ['--working-dir', '-d'], starts: STARTS },
  { programs: ['gradle', 'gradlew'], folders: ['--project-dir', '-p'] },
];

/**
 * The context of `make -C sub`, `npm --prefix sub test`, `cargo test --manifest-path sub/Cargo.toml`: as if the line
 * were in that folder. Code of a folder outside the workspace, or of an unknown one, is dangerous.
 */
export function inProjectFolder(
  program: string,
  words: readonly Word[],
  context: EvaluationContext,
): EvaluationContext {
  const elsewhere = ELSEWHERE.find(({ programs }) => programs.includes(program));
  if (elsewhere === undefined) return context;
  const named = foldersNamed(elsewhere, words);
  const { state, report, lineContext } = context;
  for (const chosen of valuesOf(elsewhere.packages ?? [], words, elsewhere)) {
    const isInWorkspace = (text: string): boolean => locate(text, state.cwd, lineContext)?.place === 'inside';
    if (textsOf(chosen)?.flatMap(foldersChosen).every(isInWorkspace) === true) continue;
    report.raise('dangerous', 'other-folder', {
      text: `may run ${program} in a folder outside the workspace`,
      span: chosen.span,
    });
    report.effect(WRITES_UNKNOWN);
  }
  if (named.length === 0) return context;
  let { cwd } = state;
  for (const folder of elsewhere.isNested === true ? named : named.slice(-1)) {
    const from = cwd;
    const places = (textsOf(folder) ?? ['']).map((text) => locate(text, from, lineContext));
    cwd = places.length === 1 ? places[0]?.absolute : undefined;
    if (places.every((one) => one?.place === 'inside')) continue;
    const isKnown = places.every((one) => one !== undefined);
    const where = isKnown ? 'outside the workspace' : "that can't be determined";
    report.raise('dangerous', 'other-folder', {
      text: `runs ${program} in a folder ${where}`,
      span: folder.span,
    });
    report.effect(WRITES_UNKNOWN);
  }
  return { ...context, state: { ...state, cwd } };
}

/** `../x`, `{../x}...`, `name{../x}`, `!./x`: folders, as programs may read it; none for the name of a package. */
function foldersChosen(text: string): readonly string[] {
  const braced = text.match(/(?<=\{)[^}]+/g) ?? [];
  const bare = text.replaceAll(/^!?(?:\.\.\.)?\^?\{?|\}?\^?(?:\.\.\.)?(?:\[[^[\]]*\])?$/g, '');
  const beginning = text.startsWith('..') && !text.startsWith('...') ? text : bare;
  const isPath = /^(?:[./~]|[^@]*\/\.\.)/.test(beginning);
  return isPath ? [beginning.replace(/\}?\.\.\.$/, ''), ...braced] : braced;
}

function foldersNamed(elsewhere: Elsewhere, words: readonly Word[]): readonly Word[] {
  const { folders = [], files = [] } = elsewhere;
  return valuesOf([...folders, ...files], words, elsewhere);
}

function valuesOf(options: readonly string[], words: readonly Word[], elsewhere: Elsewhere): readonly Word[] {
  const { folders = [], files = [], packages = [], values = [], starts } = elsewhere;
  const all = [...folders, ...files, ...packages, ...values];
  const found: Word[] = [];
  let hasStarted = false;
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    if (text === '--') break;
    const isValue = nameIn(beginningOf(words[at - 1] ?? word), all, elsewhere)?.isLast === true;
    if (!text.startsWith('-')) {
      if (hasStarted && !isValue) break;
      hasStarted ||= starts?.test(text) === true;
      continue;
    }
    const option = nameIn(text, options, elsewhere);
    const value = option?.isLast === true ? words[at + 1] : after(word, option?.length ?? 0);
    if (option !== undefined && value !== undefined)
      found.push(files.includes(option.name) ? folderOf(value) : value);
  }
  return found;
}

/** `--prefix`, `--prefix=sub`, `--pre`, `-C`, `-Csub`, `-C=sub`, and for make `-kC`: its length without its value. */
function nameIn(
  text: string,
  names: readonly string[],
  { isNested, isAbbreviated }: Elsewhere,
): Readonly<{ name: string; length: number; isLast: boolean }> | undefined {
  for (const name of names) {
    const before = isNested === true && !name.startsWith('--') ? '-[A-Za-z]*?' : '-';
    const glued = new RegExp(`^${before}${name.slice(1)}${name.startsWith('--') ? '(?:=|$)' : '=?'}`).exec(
      text,
    );
    const length =
      glued?.[0].length ??
      (isAbbreviated === true && name.startsWith('--') ? beginningLength(text, name, { isNested }) : 0);
    if (length > 0) return { name, length, isLast: length === text.length && !text.endsWith('=') };
  }
  return undefined;
}

/** Shorter ones are ambiguous, which no program accepts. */
const SHORTEST_BEGINNING = 2;

/** For `--pre=x` and, as npm has it, `-pre`, without the value; 0 when it is no prefix of that option. */
function beginningLength(
  text: string,
  name: string,
  { isNested = false }: Readonly<{ isNested?: boolean | undefined }> = {},
): number {
  // `make -di`: two letters.
  const written = (isNested ? /^--([a-z][a-z-]*)=?/ : /^--?([a-z][a-z-]*)=?/).exec(text);
  const letters = written?.[1] ?? '';
  const isBeginning = letters.length >= SHORTEST_BEGINNING && name.slice(2).startsWith(letters);
  const [{ length }] = written ?? [''];
  return isBeginning && (length === text.length || text.charAt(length - 1) === '=') ? length : 0;
}

/** The folder of a manifest, which stays as unknown as its path. */
function folderOf(file: Word): Word {
  const text = textOf(file);
  return text === undefined ? file : literal(text.replace(/(?<![^/])[^/]*$/, '') || '.', file.span);
}
