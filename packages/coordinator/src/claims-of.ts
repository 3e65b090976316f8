import {
  type Claim,
  type Effect,
  pathResource,
  readClaim,
  Resource,
  treeResource,
  type Verdict,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';

/** Over so many claims a command holds the workspace instead: each costs the scheduler a few microseconds. */
const MAX_CLAIMS = 64;

/**
 * What a command must hold before it starts, from what it would touch.
 *
 * Without an overlay a command whose writes can't be known holds the whole workspace to write. One that only
 * runs the repository's own tests or builds holds it to read: no writer runs underneath (X-40). Paths
 * outside the workspace are the policy's to refuse; they are nobody's to hold.
 */
export function claimsOf(verdict: Verdict): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const add = (claim: Claim): void => {
    const held = claims.get(claim.resource);
    if (held?.access !== 'write') claims.set(claim.resource, claim);
  };
  for (const effect of verdict.effects) for (const claim of claimsOfEffect(effect, verdict)) add(claim);
  if (claims.size <= MAX_CLAIMS) return [...claims.values()];
  const writes = [...claims.values()].some((claim) => claim.access === 'write');
  return [writes ? writeClaim(WORKSPACE) : readClaim(WORKSPACE)];
}

function claimsOfEffect(effect: Effect, verdict: Verdict): readonly Claim[] {
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
      return [
        verdict.runsRepositoryCode && verdict.level === 'safe' ? readClaim(WORKSPACE) : writeClaim(WORKSPACE),
      ];
    case 'repository-code':
      return [readClaim(WORKSPACE)];
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

/** The folder above the first segment that holds a pattern: `src/x/*.ts` → `src/x`. */
function literalFolder(glob: string): string {
  const segments = glob.split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  const folder = segments.slice(0, first < 0 ? -1 : first).join('/');
  return folder === '' ? '.' : folder;
}
