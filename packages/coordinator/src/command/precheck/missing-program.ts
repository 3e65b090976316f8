import { type Effect, type Executor, type Files, nearestWord, type Verdict } from '@signalbox/core';
import { INSTALLS, type RequiredPart } from '@signalbox/policy';
import { failureOf, type NoEffect } from './without-effect.ts';

type Lacks = NonNullable<Executor['lacks']>;

/** A program that is not on PATH; bash's builtins always exist. */
export async function missingProgram(
  part: RequiredPart,
  {
    lacks,
    files,
    verdict,
  }: {
    readonly lacks: (program: string) => ReturnType<Lacks>;
    readonly files: Pick<Files, 'list'>;
    readonly verdict: Verdict | null;
  },
): Promise<NoEffect | undefined> {
  const { program } = part;
  if (program.includes('/') || OF_BASH.has(program)) return undefined;
  const missing = await lacks(program);
  if (missing === false) return undefined;
  const beside = await programsBeside(part, files);
  const installed = beside.get(program);
  // A program that the policy knows is spelt correctly.
  const isStrange = verdict?.effects.some(
    (effect) => effect.kind === 'process' && effect.program === program,
  );
  const meant = beside.get(nearestWord(program, beside.keys(), { bound: 1 }) ?? '') ?? missing.meant;
  const isMisspelt = isStrange !== false && installed === undefined && meant !== undefined;
  const guess = isMisspelt ? `; did you mean ${JSON.stringify(meant)}?` : '';
  return {
    failure: failureOf(part, {
      code: 'no-program',
      verb: 'run',
      why: `program ${JSON.stringify(program)} is not ${installed === undefined ? 'installed in the sandbox' : 'on the PATH of the sandbox'}${guess}`,
      suggestion:
        installed === undefined
          ? 'Use another program, run it by its path, or ask your user to install it'
          : `It is installed in this workspace: run it as ${installed}`,
    }),
    mayChange: (other) => mayBring(other, program),
    mayBePrepared: missing.mayBeMade,
  };
}

/** Where package managers install programs outside of PATH. */
const FOLDERS = ['node_modules/.bin', '.venv/bin', 'venv/bin'];
/** Names per folder. */
const MAX_NAMES = 2000;

/** Names of programs in those folders, of the part's folder and of the workspace, with what starts each. */
async function programsBeside(
  { cwd }: RequiredPart,
  files: Pick<Files, 'list'>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (cwd === null) return found;
  const up = cwd === '.' ? '' : '../'.repeat(cwd.split('/').length);
  const places = FOLDERS.flatMap((folder) => [
    ...(cwd === '.' ? [] : [{ path: `${cwd}/${folder}`, way: folder }]),
    { path: folder, way: `${up}${folder}` },
  ]);
  for (const { path, way } of places) {
    // Missing or unreadable.
    const listed = await files.list(path, { limit: MAX_NAMES }).catch(() => null);
    for (const entry of listed?.entries ?? []) {
      const name = entry.path.slice(path.length + 1);
      if (!found.has(name)) found.set(name, way.includes('node_modules') ? `npx ${name}` : `${way}/${name}`);
    }
  }
  return found;
}

/** Whether it installs something, or writes where programs are found. */
function mayBring(verdict: Verdict | null, program: string): boolean {
  if (verdict === null || verdict.reasons.some(({ code }) => code === INSTALLS)) return true;
  return verdict.effects.some((effect) => effect.kind === 'privilege' || isPlaced(effect, program));
}

const SEARCH_FOLDERS: ReadonlySet<string> = new Set(['bin', '.bin', 'sbin', 'node_modules', 'Scripts']);

function isPlaced(effect: Effect, program: string): boolean {
  if (effect.kind !== 'write') return false;
  const segments = effect.path.split('/');
  return segments.at(-1) === program || segments.some((segment) => SEARCH_FOLDERS.has(segment));
}

/** Bash's builtins and keywords: `compgen -bk`. */
const OF_BASH: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs ' +
    'disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help ' +
    'history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set ' +
    'shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait ' +
    'while [[ ]] { } !'
  ).split(' '),
);
