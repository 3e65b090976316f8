import {
  type Claim,
  type Effect,
  type FileTouch,
  nodesOf,
  pathResource,
  readClaim,
  Resource,
  treeResource,
  type Verdict,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';

/**
 * With more claims than this a command claims the workspace instead: each claim costs the scheduler a few microseconds.
 */
const MAX_CLAIMS = 64;

export type ClaimContext = {
  /** The command runs as a transaction: its writes are known when it has ended, and claimed then. */
  readonly isTransaction: boolean;
  /** Tests and builds claim the workspace to read while they run (`isolation: stable`). */
  readonly isStable: boolean;
};

/**
 * The claims a command needs before it starts, from its effects.
 *
 * A transaction claims known writes. Its other writes are claimed when it has ended, by {@link claimsOfChanges}; until
 * then it blocks no other command.
 *
 * Without a transaction, a command with unpredictable writes claims the whole workspace to write. One that only runs
 * the repository's own tests or builds claims it to read: no writer runs underneath (X-40). Paths outside the workspace
 * are left to the policy and never claimed.
 */
export function claimsOf(verdict: Verdict, circumstances: ClaimContext): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const add = (claim: Claim): void => {
    const held = claims.get(claim.resource);
    if (held?.access !== 'write') claims.set(claim.resource, claim);
  };
  for (const effect of verdict.effects) {
    for (const claim of claimsOfEffect(effect, verdict, circumstances)) add(claim);
  }
  return bounded([...claims.values()]);
}

/**
 * The claims a transaction needs to commit exactly these changes; a folder removed as a whole is one claim. Git's
 * objects are never changed, only added.
 */
export function claimsOfChanges(
  changes: readonly FileTouch[],
  removedFolders: readonly string[] = [],
): readonly Claim[] {
  const folders = new Set(removedFolders.filter((path) => !path.split('/').includes('.git')));
  const others = changes.filter(({ path }) => !isBelowAny(path, folders));
  const resources = new Set([
    ...[...folders].map(treeResource),
    ...others.flatMap(({ path }) => resourceOfChange(path)),
  ]);
  return bounded([...resources].map(writeClaim));
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}

/** Whether the held claims permit what the other claim wants. */
export function isCovered({ resource, access }: Claim, held: readonly Claim[]): boolean {
  const nodes = nodesOf(resource);
  return held.some(
    (claim) =>
      (claim.access === 'write' || access === 'read') &&
      nodesOf(claim.resource).every((node, depth) => node === nodes[depth]),
  );
}

function resourceOfChange(path: string): Resource[] {
  if (path.startsWith('.git/objects/')) return [];
  if (path === '.git/index') return [Resource.parse('git:index')];
  return [path.startsWith('.git/') ? Resource.parse('git:refs') : pathResource(path)];
}

function bounded(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length <= MAX_CLAIMS) return claims;
  const writes = claims.some((claim) => claim.access === 'write');
  return [writes ? writeClaim(WORKSPACE) : readClaim(WORKSPACE)];
}

function claimsOfEffect(
  effect: Effect,
  verdict: Verdict,
  { isTransaction, isStable }: ClaimContext,
): readonly Claim[] {
  switch (effect.kind) {
    case 'read': {
      const resource = resourceOf(effect);
      return resource === undefined ? [] : [readClaim(resource)];
    }
    case 'write':
    case 'delete': {
      const resource = resourceOf(effect);
      return resource === undefined ? [] : [writeClaim(resource)];
    }
    case 'write-unknown':
      if (isTransaction) return [];
      return [
        verdict.runsRepositoryCode && verdict.level === 'safe' ? readClaim(WORKSPACE) : writeClaim(WORKSPACE),
      ];
    case 'repository-code':
      return isTransaction && !isStable ? [] : [readClaim(WORKSPACE)];
    case 'resource':
      return [{ resource: Resource.parse(effect.resource), access: effect.access }];
    case 'network':
    case 'process':
    case 'privilege':
    case 'secret':
      return [];
  }
}

function resourceOf(effect: Extract<Effect, { kind: 'read' | 'write' | 'delete' }>): Resource | undefined {
  const { path, scope } = effect;
  if (path.startsWith('/') || path.startsWith('~')) return undefined;
  if (scope === 'file') return pathResource(path);
  if (scope === 'tree') return treeResource(path);
  return treeResource(literalFolder(path));
}

/** The folder above the first segment with a wildcard: `src/x/*.ts` → `src/x`. */
function literalFolder(glob: string): string {
  const segments = glob.split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  const folder = segments.slice(0, first < 0 ? -1 : first).join('/');
  return folder === '' ? '.' : folder;
}
