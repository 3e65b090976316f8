import { describeTarget, type HostPattern, NetworkSource, parseHost } from '@signalbox/core';
import { PROJECT_FILES, USUAL_HOSTS } from './project-files.ts';

/** A host as a project's file writes it. */
type WrittenHost = Readonly<{
  /** In the spelling of effects. */
  host: string;
  /** With its port, unless that is one of the web. */
  pattern: HostPattern;
}>;

/** A host that a project gets packages or commits from. */
export type ProjectHost = WrittenHost &
  Readonly<{
    source: NetworkSource;
    /** The file that names it, relative to the workspace; null for the usual host of an ecosystem. */
    from: string | null;
  }>;

/** The hosts that the files of a project name as sources. */
export type ProjectHosts = Readonly<{
  /** For the ecosystems that the project uses, and its git remotes. */
  all: readonly ProjectHost[];
  /** For one source; the usual ones when the project names none. */
  of(source: NetworkSource): readonly ProjectHost[];
}>;

/** Per source: no project has more, and the gate denies the rest. */
const MAX_HOSTS = 64;

/** Whether a file may name hosts. @param path relative to the workspace, `/` between segments */
export function isProjectFile(path: string): boolean {
  return PROJECT_FILES.some(({ name }) => endsAs(path, name));
}

/**
 * Reads where a project gets its packages and commits from. It only proposes and names: the gate enforces the hosts, so
 * a host that is missed here is denied there.
 */
export function projectHosts(files: readonly Readonly<{ path: string; text: string }>[]): ProjectHosts {
  const used = new Set<NetworkSource>();
  const named: ProjectHost[] = [];
  for (const { path, text } of files) {
    for (const { source, name, addresses } of PROJECT_FILES) {
      if (!endsAs(path, name)) continue;
      used.add(source);
      for (const address of addresses(text))
        named.push(...hostsOfAddress(address).map((host) => ({ ...host, source, from: path })));
    }
  }
  const of = (source: NetworkSource): readonly ProjectHost[] => {
    const own = named.filter((one) => one.source === source);
    const usual = USUAL_HOSTS[source].map((host) => ({ host, pattern: host, source, from: null }));
    const byPattern = new Map<HostPattern, ProjectHost>();
    for (const one of [...usual, ...own]) if (!byPattern.has(one.pattern)) byPattern.set(one.pattern, one);
    return [...byPattern.values()].slice(0, MAX_HOSTS);
  };
  return { all: NetworkSource.options.filter((source) => used.has(source)).flatMap(of), of };
}

/** Whether the last one, two or three segments match the name. */
function endsAs(path: string, name: RegExp): boolean {
  const segments = path.split('/');
  return [1, 2, 3].some((count) => name.test(segments.slice(-count).join('/')));
}

const URL = /^(?:[a-z]+\+)?([a-z]+):\/\/(?:[^@/]*@)?(\[[^\]/]*\]|[^:/?#]*)(?::(\d{1,5}))?(?:[/?#]|$)/i;
/** `git@host:path`. */
const BY_SSH = /^[\w.-]+@([\w.-]+):/;
/** `github:a/b`, or `a/b` where a package is expected. */
const FORGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['github:', ['github.com', 'codeload.github.com']],
  ['gitlab:', ['gitlab.com']],
  ['bitbucket:', ['bitbucket.org']],
]);

/** The hosts of an address; empty for what is not an address, or contains a variable. */
function hostsOfAddress(address: string): readonly WrittenHost[] {
  const forge = FORGES.get(address.slice(0, address.indexOf(':') + 1));
  if (forge !== undefined) return forge.map((host) => ({ host, pattern: host }));
  const [, scheme = 'ssh', named, port] = URL.exec(address) ?? [];
  const written = named ?? BY_SSH.exec(address)?.[1];
  const host = parseHost(written ?? '');
  if (host === null || scheme.toLowerCase() === 'file') return [];
  const text = describeTarget({ host, port: 1 }).replace(/:1$/, '');
  // The gate carries HTTP: a remote over ssh means the same host over https.
  const isWeb = port === undefined || /^(?:80|443)$/.test(port) || scheme.toLowerCase() === 'ssh';
  return [{ host: text, pattern: isWeb ? text : `${text}:${port}` }];
}
