import type { ScenarioName } from './scenario-names.ts';
import type { Random } from './random.ts';
import type { PlannedOutcome, PlannedCommand, Work } from './planned-command.ts';

export type WorkloadMix = Readonly<Record<Work, number>>;

/** The files that a command's path is chosen from. */
export type FileSet = Readonly<{
  files: number;
  /** Share of commands that go to the hot file, 0 to 1. */
  hot: number;
}>;

type Scenario = FileSet &
  Readonly<{
    /** Weights when `--mix` is not given. */
    mix: WorkloadMix;
    workMs: number;
    /** Every file that a command may count in, as a generator: there may be more than memory holds. */
    paths(options: FileSet & Readonly<{ agents: number }>): Generator<string>;
    choosePath(random: Random, options: FileSet & Readonly<{ agent: number; work: Work }>): ChosenPath;
    outcomes?: Readonly<Record<PlannedOutcome, number>>;
    /** The approver's answers, by weight. */
    answers?: Readonly<Record<PlannedCommand['person'], number>>;
  }>;

type ChosenPath = Pick<PlannedCommand, 'path' | 'scope'>;

/** The folders of `monorepo`. */
const PACKAGES = 10;
/** The hot file of `monorepo`. */
const MANIFEST = 'packages/p0/package.txt';
const HOT_FILE = 'hot/0.txt';

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  /** Each agent writes its own files: no command waits for another. */
  disjoint: {
    mix: { read: 0, write: 1, shell: 0, git: 0 },
    hot: 0,
    files: 4,
    workMs: 20,
    *paths({ agents, files }) {
      for (let agent = 0; agent < agents; agent++) {
        for (let n = 0; n < files; n++) yield `own/${agent}/${n}.txt`;
      }
    },
    choosePath: (random, { agent, files }) => file(`own/${agent}/${random.below(files)}.txt`),
  },
  /** All agents write one file: it is handed from one to the next. */
  'hot-file': {
    mix: { read: 0, write: 1, shell: 0, git: 0 },
    hot: 1,
    files: 1,
    workMs: 0,
    paths: anyPaths,
    choosePath: anyFile,
  },
  /** Reads, writes, shell lines and commits, one in ten on the same file. */
  mixed: {
    mix: { read: 50, write: 40, shell: 8, git: 2 },
    hot: 0.1,
    files: 100,
    workMs: 20,
    paths: anyPaths,
    choosePath: anyFile,
  },
  /** Ten packages: files are written while folders and the whole tree are read. */
  monorepo: {
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
    choosePath(random, { work, files, hot }) {
      const folder = `packages/p${random.below(PACKAGES)}`;
      if (work === 'read' && random.isLess(0.3)) return { path: folder, scope: 'tree' };
      if (work === 'read' && random.isLess(0.05)) return { path: '.', scope: 'tree' };
      if (random.isLess(hot)) return file(MANIFEST);
      return file(`${folder}/src/${random.below(perPackage(files))}.txt`);
    },
  },
  /** Shell lines that write a file and commit it, all to one branch. */
  'git-storm': {
    mix: { read: 10, write: 20, shell: 0, git: 70 },
    hot: 0,
    files: 50,
    workMs: 0,
    paths: anyPaths,
    choosePath: anyFile,
  },
  /** Every second command needs an approval; one in five is denied. */
  'approval-flood': {
    mix: { read: 20, write: 80, shell: 0, git: 0 },
    hot: 0.1,
    files: 50,
    workMs: 5,
    paths: anyPaths,
    choosePath: anyFile,
    answers: { nobody: 50, grants: 40, refuses: 10 },
  },
  /** Tools fail, hang until they time out, and are cancelled at any moment. */
  chaos: {
    mix: { read: 30, write: 60, shell: 8, git: 2 },
    hot: 0.2,
    files: 20,
    workMs: 10,
    paths: anyPaths,
    choosePath: anyFile,
    outcomes: { works: 80, fails: 7, hangs: 3, cancelled: 10 },
  },
};

function anyFile(random: Random, { files, hot }: FileSet): ChosenPath {
  return file(random.isLess(hot) ? HOT_FILE : `files/${random.below(files)}.txt`);
}

function* anyPaths({ files }: FileSet): Generator<string> {
  yield HOT_FILE;
  for (let n = 0; n < files; n++) yield `files/${n}.txt`;
}

function perPackage(files: number): number {
  return Math.ceil(files / PACKAGES);
}

function file(path: string): ChosenPath {
  return { path, scope: 'file' };
}
