import { type Claim, pathResource, readClaim, Resource, treeResource, writeClaim } from '@signalbox/core';

/**
 * What a command does: reads, increments a file by the file tools, by a shell line, or by a shell line that commits.
 */
export type Work = 'read' | 'write' | 'shell' | 'git';

/** Planned outcome; `cancelled`: its agent cancels it, which may come too late. */
export type PlannedOutcome = 'works' | 'fails' | 'hangs' | 'cancelled';

/** One command of one fake agent: pure data, the same for the same seed. */
export type PlannedCommand = Readonly<{
  /** Its name in the evidence; see `Plan.keyOf`. */
  key: number;
  agent: number;
  work: Work;
  /** Relative to the workspace; a folder where `scope` is `tree`; `.` is the workspace. */
  path: string;
  scope: 'file' | 'tree';
  /** How long it works while it holds its claims. */
  workMs: number;
  plannedOutcome: PlannedOutcome;
  /** The scripted approver's answer; `nobody`: it needs no approval. */
  person: 'nobody' | 'grants' | 'refuses';
}>;

/** The claims that the coordinator must derive for it. */
export function claimsOfPlanned({ work, path, scope }: PlannedCommand): readonly Claim[] {
  const resource = scope === 'tree' ? treeResource(path) : pathResource(path);
  if (work === 'read') return [readClaim(resource)];
  if (work === 'git') return [writeClaim(resource), ...GIT];
  return [writeClaim(resource)];
}

const GIT: readonly Claim[] = [
  writeClaim(Resource.parse('git:index')),
  writeClaim(Resource.parse('git:refs')),
];

/** `agent 3: write hot/0.txt (20 ms)`, for people. */
export function describePlanned({
  key,
  agent,
  work,
  path,
  workMs,
  plannedOutcome,
  person,
}: PlannedCommand): string {
  const ending = plannedOutcome === 'works' ? '' : `, ${plannedOutcome}`;
  const answer = person === 'nobody' ? '' : `, the person ${person}`;
  return `#${key} agent ${agent}: ${work} ${path} (${workMs} ms${ending}${answer})`;
}
