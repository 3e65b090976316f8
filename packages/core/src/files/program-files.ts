import { isWithin } from './is-within.ts';

/**
 * Files that the user's programs read as settings or run as code: coding agents, editors, shells, hook managers,
 * continuous integration. A write there decides what runs outside the sandbox, later and with all rights.
 */
export type ProgramFile = {
  /**
   * `refused`: nothing lets it be changed. `dangerous`: only a person's approval of this call does. `asks`: a user rule
   * may, too.
   */
  readonly grade: 'refused' | 'dangerous' | 'asks';
  /** The reading program, in words: `Claude Code`. */
  readonly readBy: string;
};

/** More such files of one workspace, under any name; paths of the workspace. */
export type NamedFiles = {
  /**
   * Files that git's configuration names, the repository's and the user's: hooks, included files, programs of filters.
   */
  readonly byGit: readonly string[];
  /** Files that the user's npm configuration and environment name: code that Node.js loads first, certificates. */
  readonly byPerson: readonly string[];
  /** Files that `signalbox connect` wrote, so that agents work through Signalbox. */
  readonly byConnect: readonly string[];
};

const NO_NAMED_FILES: NamedFiles = { byGit: [], byPerson: [], byConnect: [] };

type Entry = ProgramFile & {
  /**
   * Segments of the path from any folder on; the last may be a pattern of a name. A folder includes everything below
   * it.
   */
  readonly path: readonly (string | RegExp)[];
};

const EDITORS = 'editors';
const HOOKS = 'hook managers';
const CI = 'continuous integration';

/** The one list. Names are compared in lower case, at any depth. */
const ENTRIES: readonly Entry[] = [
  ...dangerous('Claude Code', '.claude'),
  ...dangerous('coding agents', '.mcp.json'),
  ...dangerous('Codex', '.codex'),
  ...dangerous('Gemini CLI', '.gemini'),
  ...dangerous('opencode', /^opencode\.json/, '.opencode'),
  ...dangerous('Cursor', '.cursor'),
  ...dangerous(
    'coding agents',
    '.windsurf',
    '.kiro',
    '.roo',
    '.continue',
    '.amazonq',
    '.junie',
    '.augment',
    '.qwen',
    '.trae',
    '.agents',
    '.agent',
    '.openhands',
    '.factory',
    '.kilocode',
  ),
  ...dangerous('coding agents', '.crush', /^\.?crush\.json$/, /^\.aider\.conf\.ya?ml$/),
  ...['mcp.json', 'tasks.json', 'settings.json', 'launch.json'].map((name): Entry => ({
    grade: 'dangerous',
    readBy: EDITORS,
    path: ['.vscode', name],
  })),
  ...dangerous(EDITORS, /\.code-workspace$/, '.idea', '.zed', '.vs', '.fleet', '.nova', '.theia'),
  ...dangerous(EDITORS, /\.sublime-project$/, '.helix', '.kakrc', '.dir-locals.el', '.dir-locals-2.el'),
  ...dangerous('vim', /^[._](?:[gln]?vim|ex)rc$/, '.vimrc.local', '.vim', '.ycm_extra_conf.py'),
  ...dangerous('Neovim', '.nvim.lua', '.lazy.lua'),
  ...dangerous('debuggers', '.gdbinit', '.lldbinit', '.pdbrc', '.byebugrc'),
  ...dangerous('R', '.rprofile'),
  ...dangerous('interactive shells of languages', '.irbrc', '.pryrc', '.iex.exs', '.ghci', '.ocamlinit'),
  ...dangerous('Octave', '.octaverc'),
  ...dangerous('direnv', '.envrc'),
  ...dangerous('autoenv', /^\.autoenv/),
  ...dangerous('tmuxinator', '.tmuxinator.yml', '.tmuxinator.yaml'),
  ...dangerous('mise', /^\.?mise(?:\.[\w-]+)*\.toml$/, '.mise'),
  ...dangerous('development containers', '.devcontainer', '.devcontainer.json'),
  ...dangerous(HOOKS, '.husky', /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/, '.pre-commit-config.yaml'),
  ...asks('coding agents', /^(?:claude|agents?|gemini|qwen|crush)(?:\.local|\.override)?\.md$/),
  ...asks('coding agents', '.cursorrules', '.windsurfrules', '.clinerules', '.goosehints', '.rules'),
  ...[
    'workflows',
    'agents',
    'actions',
    'copilot-instructions.md',
    'instructions',
    'hooks',
    'prompts',
    'chatmodes',
    'skills',
  ].map((name): Entry => ({
    grade: 'asks',
    readBy: 'GitHub and its agents',
    path: ['.github', name],
  })),
  ...asks('GitLab', '.gitlab-ci.yml'),
  ...asks(CI, '.circleci', '.buildkite', '.woodpecker', 'jenkinsfile'),
  ...asks(CI, /^\.?(?:travis|drone|woodpecker|azure-pipelines|bitbucket-pipelines|cirrus)\.ya?ml$/),
  ...['.gitea', '.forgejo'].map((name): Entry => ({ grade: 'asks', readBy: CI, path: [name, 'workflows'] })),
  ...asks('package managers', '.npmrc', /^\.yarnrc/, /^\.pnpmfile\./, /^\.?bunfig\.toml$/),
  { grade: 'dangerous', readBy: 'Yarn', path: ['.yarn', 'plugins'] },
  { grade: 'dangerous', readBy: 'Maven', path: ['.mvn', /^(?:extensions\.xml|jvm\.config)$/] },
  ...dangerous('Bazel', '.bazelrc', '.bazeliskrc'),
  { grade: 'asks', readBy: 'Cargo', path: ['.cargo', /^config(?:\.toml)?$/] },
  ...asks('rustup', /^rust-toolchain(?:\.toml)?$/),
  ...asks('git', '.gitattributes', '.gitmodules'),
  ...asks('pytest', 'conftest.py'),
  ...asks('Python, whenever it starts', 'sitecustomize.py', 'usercustomize.py'),
];

const PACKAGE_PROGRAM: ProgramFile = { grade: 'asks', readBy: 'users of installed programs' };
const PYTHON_PATH: ProgramFile = { grade: 'asks', readBy: 'Python, whenever it starts' };
const CONNECTED: ProgramFile = { grade: 'refused', readBy: 'coding agents that signalbox connect set up' };
/** In a nested workspace, or in a folder that becomes one when it is moved. */
const INNER_STATE: ProgramFile = { grade: 'dangerous', readBy: 'Signalbox, as what it kept there itself' };
const NAMED_BY_GIT: ProgramFile = {
  grade: 'dangerous',
  readBy: 'git, as its configuration says',
};

const NAMED_BY_PERSON: ProgramFile = {
  grade: 'dangerous',
  readBy: 'npm and others, as your own settings say',
};

/** Folders of installed packages, which contain such names without any reader. */
const PACKAGES: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

/**
 * The entry that a change of that path affects, or undefined.
 *
 * @param path Of the workspace, normalised.
 */
export function programFileAt(path: string, named: NamedFiles = NO_NAMED_FILES): ProgramFile | undefined {
  if (named.byConnect.includes(path)) return CONNECTED;
  if (named.byGit.some((one) => isWithin(path, one))) return NAMED_BY_GIT;
  if (named.byPerson.some((one) => isWithin(path, one))) return NAMED_BY_PERSON;
  const segments = path.toLowerCase().split('/');
  if (segments.includes('.git')) return undefined;
  // Commands can't reach the one of this workspace.
  if (segments.indexOf('.signalbox') > 0) return INNER_STATE;
  if (segments.at(-1)?.endsWith('.pth') === true) return PYTHON_PATH;
  const packages = segments.findLastIndex((segment) => PACKAGES.has(segment));
  if (packages >= 0) return segments[packages + 1] === '.bin' ? PACKAGE_PROGRAM : undefined;
  return strictest(
    ENTRIES.filter((entry) => segments.some((_, start) => standsAt(entry.path, segments, { start }))),
  );
}

/** The same for a folder that may change as a whole, also when only a part of its content is such a file. */
export function programFilesBelow(
  folder: string,
  named: NamedFiles = NO_NAMED_FILES,
): ProgramFile | undefined {
  if (named.byConnect.some((one) => isWithin(one, folder))) return CONNECTED;
  const at = programFileAt(folder, named);
  if (at !== undefined) return at;
  if (named.byGit.some((one) => isWithin(one, folder))) return NAMED_BY_GIT;
  if (named.byPerson.some((one) => isWithin(one, folder))) return NAMED_BY_PERSON;
  const name = folder.toLowerCase().split('/').at(-1);
  return strictest(ENTRIES.filter(({ path }) => path.length > 1 && path[0] === name));
}

/** Whether a path is among installed packages. */
export function isInPackages(path: string): boolean {
  return path
    .toLowerCase()
    .split('/')
    .some((segment) => PACKAGES.has(segment));
}

function standsAt(
  path: Entry['path'],
  segments: readonly string[],
  { start }: Readonly<{ start: number }>,
): boolean {
  return path.every((part, index) => {
    const segment = segments[start + index];
    if (segment === undefined) return false;
    return typeof part === 'string' ? part === segment : part.test(segment);
  });
}

function strictest(found: readonly ProgramFile[]): ProgramFile | undefined {
  return found.find(({ grade }) => grade === 'dangerous') ?? found[0];
}

function dangerous(readBy: string, ...names: readonly (string | RegExp)[]): readonly Entry[] {
  return names.map((name) => ({ grade: 'dangerous', readBy, path: [name] }));
}

function asks(readBy: string, ...names: readonly (string | RegExp)[]): readonly Entry[] {
  return names.map((name) => ({ grade: 'asks', readBy, path: [name] }));
}
