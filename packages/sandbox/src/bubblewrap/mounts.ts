import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClientEnvironment,
  isInPackages,
  isWithin,
  type LoggedInTool,
  type NamedFiles,
  type NetworkAccess,
  programFileAt,
} from '@signalbox/core';
import { type IsDenied, POLICY_FILES } from '../denials/default-denials.ts';
import { createDeniedPaths, type DeniedPath, type DeniedPaths } from '../denials/denied-paths.ts';
import type { ReadView } from '../denials/read-view.ts';
import { withoutAgreed } from '../direct/without-agreed.ts';
import {
  HOME_SECRETS,
  HOME_TOOLCHAINS,
  KERNEL_SETTINGS,
  LOGINS,
  MACHINE_SECRETS,
  OWN_FOLDER_BYTES,
  OWN_FOLDERS,
  TEMPORARY_FOLDERS,
} from './machine-paths.ts';
import {
  exists,
  isFolder,
  isLink,
  isRealFile,
  isRealFolder,
  isSocket,
  realOf,
  existingBelow,
} from './existing-paths.ts';

export type MountOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Our own folder. Shown empty. */
  readonly stateFolder: string;
  /** Homes with masked content: the operator's, and that of our user id. */
  readonly homes: readonly string[];
  /** Homes of other users. Shown empty. */
  readonly otherHomes: readonly string[];
  /** Folders of programs, separated by `:`. Those below a home stay visible. */
  readonly path: string;
  /** More folders and files to show read-only although they are below a mask. */
  readonly visible: readonly string[];
  /** Files outside the workspace to show read-only. */
  readonly certificates: readonly string[];
  /** The command's git configuration, shown as {@link GIT_CONFIG}. */
  readonly gitConfig: string;
  readonly isDenied: IsDenied;
  readonly readView?: (() => ReadView | null) | undefined;
  readonly namedFiles?: (changed?: readonly string[]) => NamedFiles;
};

/** Path of a confined command's git configuration. The operator's own is masked with the home. */
export const GIT_CONFIG = '/run/signalbox-gitconfig';

export type MountRequest = {
  readonly workspace: 'read' | 'write';
  readonly network: NetworkAccess;
  /** Paths below the home to show in addition to `visible`, such as `~/.cache/x`. */
  readonly readableHome?: readonly string[];
  /** The tool whose login is shown. */
  readonly login?: LoggedInTool;
  /** Its `PATH` instead of {@link MountOptions.path}. */
  readonly clientEnv?: ClientEnvironment;
  /** Paths whose change was approved. */
  readonly agreed?: readonly string[];
  /** Whether git may change any file. A mount would keep the old content behind git's back. */
  readonly movesTree?: boolean;
  /** More paths that can't be read. */
  readonly isDenied?: (path: string) => boolean;
  /** Folder mounted as the workspace. Default: the workspace itself. */
  readonly shown?: string;
};

/**
 * Builds the mounts of a command as arguments of bubblewrap. Later mounts cover earlier ones.
 *
 * In order: the machine read-only; masks over temporary folders, homes and secrets; the workspace; masks over
 * denied paths in it. Only existing paths are masked, as bubblewrap would create missing ones.
 */
export function createMounts(options: MountOptions): (request: MountRequest) => Promise<string[]> {
  const { workspace } = options;
  const deniedPaths = createDeniedPaths(workspace, options.isDenied, options.readView);
  const deniedByProfile = createDeniedByProfile(workspace);
  const programFiles = createDeniedPaths(
    workspace,
    (path) => programFileAt(path) !== undefined && !isInPackages(path),
  );
  const homes = [...new Set(options.homes.flatMap(realOf))].filter((home) => home !== '/');
  const otherHomes = [...new Set(options.otherHomes.flatMap(realOf))].filter(
    (home) => isFolder(home) && ![...homes, ...OWN_FOLDERS].some((folder) => isWithin(home, folder)),
  );

  function masked(denied: readonly DeniedPath[]): string[] {
    // The state folder is shown empty, so nothing can be mounted below it.
    const paths = denied
      .map(({ path }) => join(workspace, path))
      .filter((path) => !isWithin(path, options.stateFolder));
    return [...new Set(paths), options.stateFolder].flatMap(mask);
  }

  /** Without a commit to check the changes, existing files are read-only unless their change was approved. */
  async function fixedFiles(request: MountRequest): Promise<string[]> {
    const { workspace: access, shown, agreed = [], movesTree = false } = request;
    if (access === 'read' || shown !== undefined || movesTree) return [];
    const named = options.namedFiles?.() ?? { byGit: [], byPerson: [], byConnect: [] };
    const paths = (await programFiles()).map(({ path }) => path);
    return [...new Set([...paths, ...named.byGit, ...named.byPerson, ...named.byConnect])]
      .flatMap((path) => withoutAgreed(path, { workspace, agreed, named }))
      .flatMap((path) => realOf(join(workspace, path)))
      .filter((path) => isWithin(path, workspace))
      .flatMap(readOnly);
  }

  return async (request) => {
    const [denied, byProfile] = [await deniedPaths(), await deniedByProfile(request)];
    const fixed = await fixedFiles(request);
    return [
      ['--ro-bind', '/', '/', '--proc', '/proc'],
      KERNEL_SETTINGS.filter(exists).flatMap(readOnly),
      ['--dev', '/dev', ...ownFolder('/dev/shm'), '--remount-ro', '/dev'],
      OWN_FOLDERS.filter(isRealFolder).flatMap(ownFolder),
      request.network === 'on' ? nameServers() : [],
      otherHomes.flatMap(ownFolder),
      homes.flatMap(ownFolder),
      MACHINE_SECRETS.flatMap(mask),
      toolchainsOf(
        { homes, otherHomes },
        {
          ...options,
          path: request.clientEnv?.PATH ?? options.path,
          visible: visibleOf(options, request),
        },
      ).flatMap(readOnly),
      // A certificate that is gone would keep every command from starting.
      [...new Set(options.certificates)].filter(exists).flatMap(readOnly),
      ['--ro-bind', options.gitConfig, GIT_CONFIG],
      [request.workspace === 'write' ? '--bind' : '--ro-bind', request.shown ?? workspace, workspace],
      protectedFiles(workspace, request),
      fixed,
      // After what shows a file of the workspace read-only: some of those names hold keys where it is a home.
      [...homes, ...otherHomes].filter((home) => isWithin(home, workspace)).flatMap(homeSecrets),
      masked([...denied, ...byProfile].filter(({ kind }) => kind !== 'socket' || request.network !== 'on')),
      hostSockets(request, options).flatMap(mask),
      loginOf(homes, request).flatMap(readOnly),
    ].flat();
  };
}

/** The private temporary folders of each command, in mount order. */
export function ownTemporaryFolders(): readonly string[] {
  return process.platform === 'linux' ? TEMPORARY_FOLDERS.filter(isRealFolder) : [];
}

/** Paths denied by profiles, with a cache for each function. */
function createDeniedByProfile(workspace: string): (request: MountRequest) => Promise<readonly DeniedPath[]> {
  const known = new WeakMap<object, DeniedPaths>();
  return async ({ isDenied }) => {
    if (isDenied === undefined) return [];
    const deniedPaths = known.get(isDenied) ?? createDeniedPaths(workspace, (path) => isDenied(path));
    known.set(isDenied, deniedPaths);
    return deniedPaths();
  };
}

function visibleOf({ visible, homes }: MountOptions, { readableHome = [] }: MountRequest): string[] {
  const below = readableHome.flatMap((path) => /^(?:~|\$HOME)\/(.+)$/.exec(path)?.[1] ?? []);
  return [...visible, ...homes.flatMap((home) => below.map((path) => join(home, path)))];
}

/** The files and sockets of a login only. Mounted last, so that no mask covers them. */
function loginOf(homes: readonly string[], { login }: MountRequest): string[] {
  if (login === undefined) return [];
  const paths = LOGINS[login].flatMap((path) =>
    path.startsWith('/') ? [path] : homes.map((home) => join(home, path)),
  );
  // A link could lead anywhere.
  return paths.filter((path) => isRealFile(path) || isSocket(path));
}

function ownFolder(path: string): string[] {
  return ['--size', String(OWN_FOLDER_BYTES), '--tmpfs', path];
}

/**
 * Covers a file with an unreadable one (`nodev` makes the null device unreadable), or a folder with an empty
 * read-only one.
 */
function mask(path: string): string[] {
  return realOf(path).flatMap((real) =>
    isFolder(real) ? ['--tmpfs', real, '--remount-ro', real] : ['--ro-bind', '/dev/null', real],
  );
}

function homeSecrets(home: string): string[] {
  return existingBelow(home, HOME_SECRETS).flatMap(mask);
}

/** Programs below a home: folders of `path`, known toolchains, our own Node.js. */
function toolchainsOf(
  { homes, otherHomes }: Pick<MountOptions, 'homes' | 'otherHomes'>,
  options: MountOptions,
): string[] {
  const masked = [...homes, ...otherHomes, ...OWN_FOLDERS];
  const named = [
    ...options.path.split(':').filter((folder) => folder.startsWith('/')),
    ...homes.flatMap((home) => existingBelow(home, HOME_TOOLCHAINS)),
    join(process.execPath, '..', '..'),
    ...options.visible,
  ];
  const secrets = homes.flatMap((home) => existingBelow(home, HOME_SECRETS).flatMap(realOf));
  const real = named
    .flatMap(realOf)
    .filter(
      (path) =>
        masked.some((folder) => path !== folder && isWithin(path, folder)) &&
        !secrets.some((secret) => isWithin(secret, path) || isWithin(path, secret)),
    );
  return [...new Set(real)].filter((path) => !real.some((other) => other !== path && isWithin(path, other)));
}

/**
 * Git's hooks and configuration, and files that define what may run. `.git` is a mount of its own, so that it
 * can't be moved away and recreated.
 */
function protectedFiles(workspace: string, request: MountRequest): string[] {
  // Everything is read-only already.
  if (request.workspace === 'read') return [];
  const git = join(workspace, '.git');
  const shown = (path: string): string => `${request.shown ?? workspace}${path.slice(workspace.length)}`;
  const fixed = (path: string): string[] => ['--ro-bind', shown(path), path];
  const policy = POLICY_FILES.map((name) => join(workspace, name))
    .filter((path) => exists(path) && !isLink(path))
    .flatMap(fixed);
  if (!exists(join(git, 'HEAD'))) return exists(git) ? [...policy, ...fixed(git)] : policy;
  // Git normally creates it; if it is missing, a command could. On an overlay the commit rejects it.
  if (request.shown === undefined) mkdirSync(join(git, 'hooks'), { recursive: true });
  const names = ['hooks', 'config', 'config.worktree', 'info/attributes'];
  return [
    policy,
    ['--bind', shown(git), git],
    // Mounts can't be moved away, which would leave the folder without a repository.
    request.shown === undefined
      ? ['objects', 'refs']
          .map((name) => join(git, name))
          .filter(exists)
          .flatMap(writable)
      : [],
    names
      .map((name) => join(git, name))
      .filter(exists)
      .flatMap(fixed),
  ].flat();
}

function writable(path: string): string[] {
  return ['--bind', path, path];
}

function readOnly(path: string): string[] {
  return ['--ro-bind', path, path];
}

/** The machine's resolver configuration may be below a masked folder. */
function nameServers(): string[] {
  const list = realOf('/etc/resolv.conf');
  return list.filter((path) => OWN_FOLDERS.some((folder) => isWithin(path, folder))).flatMap(readOnly);
}

/** Sockets of other processes. A read-only mount doesn't prevent connections to them. */
function hostSockets(request: MountRequest, { workspace, stateFolder }: MountOptions): string[] {
  // Other systems don't list them; their layer blocks all sockets.
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/net/unix', 'latin1').split('\n').slice(1);
  const paths = new Set(lines.flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []));
  return [...paths].filter((path) => {
    if (isWithin(path, stateFolder)) return false;
    if (isWithin(path, workspace)) return request.network !== 'on' && isSocket(path);
    return !OWN_FOLDERS.some((folder) => isWithin(path, folder)) && isSocket(path);
  });
}
