import { locate } from './paths.ts';
import { type Scene, WRITES_UNKNOWN } from './program.ts';
import { after, beginningOf, literal, textOf, textsOf, type Word } from './word.ts';

/** Options by which a program runs the project of another folder than the one it is started in. */
type Elsewhere = Readonly<{
  programs: readonly string[];
  /** Options whose value is that folder. */
  folders?: readonly string[];
  /** Options whose value is a file in it. */
  files?: readonly string[];
  /** A verb behind which another program and its own options stand. */
  starts?: RegExp;
  /** Each such folder is one below the one before. */
  isNested?: boolean;
}>;

const STARTS = /^(?:exec|x|dlx)$/;

const ELSEWHERE: readonly Elsewhere[] = [
  { programs: ['npm'], folders: ['--prefix', '-C'], starts: STARTS },
  { programs: ['pnpm'], folders: ['--dir', '-C'], starts: STARTS },
  { programs: ['yarn', 'bun'], folders: ['--cwd'], starts: STARTS },
  {
    programs: ['make', 'gmake', 'bmake', 'ninja', 'meson'],
    folders: ['-C', '--directory'],
    isNested: true,
  },
  // Go takes it as the first option alone: elsewhere it is the option of the program that it starts.
  { programs: ['go'], folders: ['-C', '--C'], starts: /^run$/ },
  { programs: ['cargo'], folders: ['-C'], files: ['--manifest-path'] },
  { programs: ['uv'], folders: ['--directory', '--project'], starts: /^run$/ },
  { programs: ['poetry'], folders: ['--directory', '--project', '-C', '-P'], starts: /^run$/ },
  { programs: ['pdm'], folders: ['--project', '-p'], starts: /^run$/ },
  { programs: ['composer'], folders: ['--working-dir', '-d'], starts: STARTS },
  { programs: ['gradle', 'gradlew'], folders: ['--project-dir', '-p'] },
];

/**
 * The scene of `make -C sub`, `npm --prefix sub test`, `cargo test --manifest-path sub/Cargo.toml`: as if the line
 * stood in that folder. Code of a folder outside of the workspace, or of an unknown one, is dangerous.
 */
export function inProjectFolder(program: string, words: readonly Word[], scene: Scene): Scene {
  const elsewhere = ELSEWHERE.find(({ programs }) => programs.includes(program));
  if (elsewhere === undefined) return scene;
  const named = foldersNamed(elsewhere, words);
  if (named.length === 0) return scene;
  const { state, report, ground } = scene;
  let { cwd } = state;
  for (const folder of elsewhere.isNested === true ? named : named.slice(-1)) {
    const from = cwd;
    const places = (textsOf(folder) ?? ['']).map((text) => locate(text, from, ground));
    cwd = places.length === 1 ? places[0]?.absolute : undefined;
    if (places.every((one) => one?.place === 'inside')) continue;
    const isKnown = places.every((one) => one !== undefined);
    const where = isKnown ? 'outside of the workspace' : "that can't be known";
    report.raise('dangerous', 'other-folder', `${program} works in a folder ${where}`, folder.span);
    report.effect(WRITES_UNKNOWN);
  }
  return { ...scene, state: { ...state, cwd } };
}

function foldersNamed(elsewhere: Elsewhere, words: readonly Word[]): readonly Word[] {
  const found: Word[] = [];
  let hasStarted = false;
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    if (text === '--') break;
    const isValue = nameIn(beginningOf(words[at - 1] ?? word), elsewhere)?.isLast === true;
    if (!text.startsWith('-')) {
      if (hasStarted && !isValue) break;
      hasStarted ||= elsewhere.starts?.test(text) === true;
      continue;
    }
    const option = nameIn(text, elsewhere);
    const value = option?.isLast === true ? words[at + 1] : after(word, option?.length ?? 0);
    if (option !== undefined && value !== undefined) found.push(option.isFile ? folderOf(value) : value);
  }
  return found;
}

/** `--prefix`, `--prefix=sub`, `-C`, `-Csub`, `-C=sub`, and of make `-kC`: how long it is without its value. */
function nameIn(
  text: string,
  { folders = [], files = [], isNested }: Elsewhere,
): Readonly<{ length: number; isLast: boolean; isFile: boolean }> | undefined {
  for (const name of [...folders, ...files]) {
    const before = isNested === true && !name.startsWith('--') ? '-[A-Za-z]*?' : '-';
    const glued = new RegExp(`^${before}${name.slice(1)}${name.startsWith('--') ? '(?:=|$)' : '=?'}`).exec(
      text,
    );
    if (glued === null) continue;
    const [{ length }] = glued;
    return { length, isLast: length === text.length && !text.endsWith('='), isFile: files.includes(name) };
  }
  return undefined;
}

/** The folder of a manifest, which stays as unknown as its path. */
function folderOf(file: Word): Word {
  const text = textOf(file);
  return text === undefined ? file : literal(text.replace(/[^/]*$/, '') || '.', file.span);
}
