import { accessSync, constants } from 'node:fs';
import { arch } from 'node:os';
import { type Isolation, SandboxError } from '@signalbox/core';
import { ownAccount } from './account.ts';
import { findBubblewrap } from './bubblewrap/bubblewrap.ts';
import { seccompFilter } from './bubblewrap/seccomp.ts';
import type { ExecutorOptions } from './executor-options.ts';
import type { TriedLayer } from './layers/choose-layer.ts';
import { tryLayers } from './layers/create-layers.ts';
import { fixFor } from './layers/fix-for.ts';
import { createNetworkNamespace } from './network/network-namespace.ts';
import { runTrusted } from './programs.ts';
import { weakerFacts } from './weak-points.ts';

/** One line of `signalbox doctor`. */
export type Diagnosis = {
  /** `node`, `git`, `bubblewrap`, `namespaces`, `layer overlay`, `memory limit` … */
  readonly id: string;
  readonly ok: boolean;
  /** Whether no command can run without it. */
  readonly stops: boolean;
  /** What was found or is missing. */
  readonly why: string;
  /** What to do, as a command to paste where there is one. Null if there is nothing to do. */
  readonly fix: string | null;
};

/** Tests everything commands need by running it. */
export async function diagnose(options: ExecutorOptions): Promise<readonly Diagnosis[]> {
  const bubblewrap = options.bubblewrap ?? findBubblewrap(options.path, options.workspace);
  const tried = await tryLayers(options);
  const best = tried.find((layer) => layer.kind === 'holds');
  return [
    nodeVersion(),
    program({ id: 'bash', name: '/bin/bash', packageName: 'bash', stops: true, path: options.path }),
    program({ id: 'git', name: 'git', packageName: 'git', stops: false, path: options.path }),
    program({ id: 'ripgrep', name: 'rg', packageName: 'ripgrep', stops: false, path: options.path }),
    ...tried.map((layer) => layerDiagnosis(layer, best)),
    ...(best === undefined && bubblewrap !== null ? namespaces(bubblewrap) : []),
    ...(best === undefined || bubblewrap === null ? [] : [await networkGate(bubblewrap)]),
    ...(best === undefined ? [systemCalls()] : measures(best.isolation)),
    ...(best === undefined ? [] : await weakerHere(best.isolation, options)),
  ];
}

async function weakerHere(
  isolation: Isolation,
  { workspace, accounts = '/etc/passwd' }: ExecutorOptions,
): Promise<Diagnosis[]> {
  const facts = await weakerFacts(isolation, { workspace, accounts });
  return facts.map((fact) => ({ ...fact, ok: true, stops: false }));
}

/** A layer that fails is no problem while a better one works. */
function layerDiagnosis(tried: TriedLayer, best: TriedLayer | undefined): Diagnosis {
  const id = `layer ${tried.name}`;
  if (tried.kind === 'holds') {
    const { backend = 'nothing', fs } = tried.isolation;
    const how = tried.name === 'macos' ? `tested. ${fs.why}` : 'tested';
    const why = `${tried === best ? 'In use: ' : 'Available: '}${backend}, ${how}`;
    return { id, ok: true, stops: false, why, fix: null };
  }
  const { message, why } = tried.cause;
  const facts = [...new Set(why.length === 0 ? [message] : why)].join('; ');
  return { id, ok: false, stops: best === undefined, why: facts, fix: fixFor(tried.cause) };
}

/** Without it only commands that request hosts are rejected. */
async function networkGate(bubblewrap: string): Promise<Diagnosis> {
  const id = 'network gate';
  const cause = await tryGate(bubblewrap);
  if (cause === null) {
    const why = 'Own network namespace with a filtering gate, tested';
    return { id, ok: true, stops: false, why, fix: null };
  }
  const why = [cause.message, ...cause.why].join('; ');
  return { id, ok: false, stops: false, why, fix: fixFor(cause) };
}

function nodeVersion(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 22 || (major === 22 && minor >= 18);
  return {
    id: 'node',
    ok,
    stops: true,
    why: `Node.js ${process.versions.node}`,
    fix: ok ? null : 'Install Node.js 22.18 or later, or start Signalbox by npm, which brings its own',
  };
}

function program(options: {
  id: string;
  name: string;
  packageName: string;
  stops: boolean;
  path: string;
}): Diagnosis {
  const { id, name, packageName, stops } = options;
  const version = runTrusted([name, '--version'], options.path)?.split('\n')[0]?.trim();
  if (version !== undefined) return { id, ok: true, stops, why: version, fix: null };
  return { id, ok: false, stops, why: `The program "${name}" can't be run`, fix: installing(packageName) };
}

/** The install command of the machine's package manager. */
function installing(packageName: string): string {
  const managers = [
    ['/usr/bin/apt-get', `apt-get install -y ${packageName}`],
    ['/usr/bin/dnf', `dnf install -y ${packageName}`],
    ['/usr/bin/pacman', `pacman -S --noconfirm ${packageName}`],
    ['/sbin/apk', `apk add ${packageName}`],
    ['/usr/bin/zypper', `zypper install -y ${packageName}`],
    ['/opt/homebrew/bin/brew', `brew install ${packageName}`],
  ] as const;
  const command = managers.find(([path]) => isExecutable(path))?.[1];
  if (command === undefined) return `Install the package "${packageName}"`;
  return ownAccount().uid === 0 || command.startsWith('brew') ? command : `sudo ${command}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const NAMESPACES = ['user', 'pid', 'net', 'ipc', 'uts', 'cgroup'] as const;

function namespaces(bubblewrap: string): Diagnosis[] {
  const missing = NAMESPACES.filter((namespace) => {
    const argv = ['--unshare-user', `--unshare-${namespace}`, '--ro-bind', '/', '/', '/bin/true'] as const;
    return runTrusted([bubblewrap, ...argv], '/usr/bin:/bin') === null;
  });
  if (missing.length === 0) return [];
  const why = `Cannot create namespaces of these kinds: ${missing.join(', ')}`;
  return [{ id: 'namespaces', ok: false, stops: true, why, fix: NAMESPACE_FIX }];
}

/**
 * Fixes for the usual causes: Ubuntu's AppArmor rule, Debian's and the kernel's own switch, a container without
 * the right.
 */
const NAMESPACE_FIX =
  'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), ' +
  'sysctl -w kernel.unprivileged_userns_clone=1 (Debian), sysctl -w user.max_user_namespaces=15000; ' +
  'in a container: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined';

function systemCalls(): Diagnosis {
  const ok = seccompFilter(arch()) !== null;
  const why = ok ? `A filter for ${arch()} is known` : `No filter for ${arch()} is known`;
  return { id: 'system calls', ok, stops: true, why, fix: ok ? null : 'Run Signalbox on x64 or arm64' };
}

/** Lists what the layer enforces on one line, and each weaker measure on a line of its own. */
function measures(isolation: Isolation): Diagnosis[] {
  const { limits } = isolation;
  const all = Object.entries({
    files: isolation.fs,
    network: isolation.net,
    processes: isolation.pid,
    'system calls': isolation.syscalls,
    'memory limit': limits.memory,
    'cpu limit': limits.cpu,
    'process limit': limits.processes,
    'disk limit': limits.disk,
    tracking: isolation.tracking,
  });
  const enforced = all.filter(([, { strength }]) => strength === 'enforced').map(([name]) => name);
  const weaker = all.filter(([, { strength }]) => strength !== 'enforced');
  return [
    { id: 'isolation', ok: true, stops: false, why: `Enforced: ${enforced.join(', ')}`, fix: null },
    ...weaker.map(([id, { strength, why }]) => ({
      id,
      ok: strength !== 'off',
      stops: false,
      why: why ?? strength,
      fix: strength === 'off' ? (FIXES[id] ?? null) : null,
    })),
  ];
}

const FIXES: Readonly<Record<string, string>> = {
  'process limit': 'Run Signalbox as an ordinary user',
};

/** Creates a network namespace and puts a program into it. Returns null on success, or why it failed. */
async function tryGate(bubblewrap: string): Promise<SandboxError | null> {
  try {
    const namespace = await createNetworkNamespace({ bubblewrap, uid: ownAccount().uid });
    const entered = runTrusted([...namespace.argv, '/bin/true'], '/usr/bin:/bin') !== null;
    namespace.close();
    return entered
      ? null
      : new SandboxError('A network of its own was made, but no program can be put into it');
  } catch (cause) {
    if (cause instanceof SandboxError) return cause;
    throw cause;
  }
}
