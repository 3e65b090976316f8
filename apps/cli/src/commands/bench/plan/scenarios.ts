import type { ScenarioName } from '../../table/scenario-names.ts';
import type { Dice } from './dice.ts';
import type { Fate, PlannedCommand, Work } from './planned-command.ts';

export type Mix = Readonly<Record<Work, number>>;

/** What a scenario needs to know to choose a place. */
export type Ground = Readonly<{ files: number; hot: number }>;

export type Scenario = Readonly<{
  about: string;
  /** Weights, for whoever gives no `--mix`. */
  mix: Mix;
  /** Share of commands that go to the one hot file. */
  hot: number;
  files: number;
  workMs: number;
  /** Every file that a command may count up, one at a time: there may be more than memory holds. */
  paths(ground: Ground & Readonly<{ agents: number }>): Generator<string>;
  place(dice: Dice, of: Readonly<{ agent: number; work: Work; ground: Ground }>): Place;
  fates?: Readonly<Record<Fate, number>>;
  /** What the person says, by weight. */
  people?: Readonly<Record<PlannedCommand['person'], number>>;
}>;

export type Place = Pick<PlannedCommand, 'path' | 'scope'>;

/** The folders of `monorepo`. */
const PACKAGES = 10;
/** Its hot file. */
const MANIFEST = 'packages/p0/package.txt';
const HOT_FILE = 'hot/0.txt';

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  disjoint: {
    about: 'each agent writes files of its own: nobody ever waits for another',
    mix: { read: 0, write: 1, shell: 0, git: 0 },
    hot: 0,
    files: 4,
    workMs: 20,
    *paths({ agents, files }) {
      for (let agent = 0; agent < agents; agent++) {
        for (let n = 0; n < files; n++) yield `own/${agent}/${n}.txt`;
      }
    },
    place: (dice, { agent, ground }) => file(`own/${agent}/${dice.below(ground.files)}.txt`),
  },
  'hot-file': {
    about: 'all agents write one file: it is handed from one to the next',
    mix: { read: 0, write: 1, shell: 0, git: 0 },
    hot: 1,
    files: 1,
    workMs: 0,
    paths: anyPaths,
    place: anyFile,
  },
  mixed: {
    about: 'reads, writes, shell lines and commits, one in ten on the same file',
    mix: { read: 50, write: 40, shell: 8, git: 2 },
    hot: 0.1,
    files: 100,
    workMs: 20,
    paths: anyPaths,
    place: anyFile,
  },
  monorepo: {
    about: 'ten packages: files are written while folders and the whole tree are read',
    mix: { read: 45, write: 50, shell: 5, git: 0 },
    hot: 0.1,
    files: 200,
    workMs: 20,
    *paths({ files }) {
      yield MANIFEST;
      for (let folder = 0; folder < PACKAGES; folder++) {
        for (let n = 0; n < perPackage(files); n++) yield `packages/p${folder}/src/${n}.txt`;
      }
    },
    place(dice, { work, ground }) {
      const folder = `packages/p${dice.below(PACKAGES)}`;
      if (work === 'read' && dice.isLess(0.3)) return { path: folder, scope: 'tree' };
      if (work === 'read' && dice.isLess(0.05)) return { path: '.', scope: 'tree' };
      if (dice.isLess(ground.hot)) return file(MANIFEST);
      return file(`${folder}/src/${dice.below(perPackage(ground.files))}.txt`);
    },
  },
  'git-storm': {
    about: 'shell lines that write a file and commit it, all to one branch',
    mix: { read: 10, write: 20, shell: 0, git: 70 },
    hot: 0,
    files: 50,
    workMs: 0,
    paths: anyPaths,
    place: anyFile,
  },
  'approval-flood': {
    about: 'every second command asks a person, who refuses one in five',
    mix: { read: 20, write: 80, shell: 0, git: 0 },
    hot: 0.1,
    files: 50,
    workMs: 5,
    paths: anyPaths,
    place: anyFile,
    people: { nobody: 50, grants: 40, refuses: 10 },
  },
  chaos: {
    about: 'tools fail, hang until their time is over, and are cancelled at any moment',
    mix: { read: 30, write: 60, shell: 8, git: 2 },
    hot: 0.2,
    files: 20,
    workMs: 10,
    paths: anyPaths,
    place: anyFile,
    fates: { works: 80, fails: 7, hangs: 3, cancelled: 10 },
  },
};

function anyFile(dice: Dice, { ground }: Readonly<{ ground: Ground }>): Place {
  return file(dice.isLess(ground.hot) ? HOT_FILE : `files/${dice.below(ground.files)}.txt`);
}

function* anyPaths({ files }: Ground): Generator<string> {
  yield HOT_FILE;
  for (let n = 0; n < files; n++) yield `files/${n}.txt`;
}

function perPackage(files: number): number {
  return Math.ceil(files / PACKAGES);
}

function file(path: string): Place {
  return { path, scope: 'file' };
}
