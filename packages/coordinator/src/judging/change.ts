import type { CommandRecord, CommandResult, Effect } from '@signalbox/core';

/** What a command may have changed. */
export type ProposedChange = {
  /** More than `paths` may have changed: not counted. */
  readonly isUnknown: boolean;
  readonly paths: readonly string[];
  /** `git:index` */
  readonly resources: readonly string[];
};

const WRITES_ANYTHING: ReadonlySet<Effect['kind']> = new Set(['write-unknown', 'repository-code']);
const READS: ReadonlySet<Effect['kind']> = new Set(['read', 'secret']);

/** Whether a call with these effects changes nothing and only reads files and resources. */
export function onlyReads(effects: readonly Effect[]): boolean {
  return effects.every((effect) =>
    effect.kind === 'resource' ? effect.access === 'read' : READS.has(effect.kind),
  );
}

/** What a command that ran may have changed, from its verdict and the counted changes. */
export function changeOf(
  { verdict }: Pick<CommandRecord, 'verdict'>,
  { files, isolation }: Pick<CommandResult, 'files' | 'isolation'>,
): ProposedChange {
  const effects = verdict?.effects ?? [];
  const isCounted = isolation === null || isolation.layer === 'overlay';
  const named = effects.flatMap((effect) =>
    effect.kind === 'write' || effect.kind === 'delete' ? [effect] : [],
  );
  return {
    isUnknown:
      !isCounted &&
      (effects.some(({ kind }) => WRITES_ANYTHING.has(kind)) || named.some(({ scope }) => scope !== 'file')),
    paths: [
      ...files.filter(({ kind }) => kind !== 'read').map(({ path }) => path),
      ...(isCounted ? [] : named.map(({ path }) => path)),
    ],
    resources: effects.flatMap((effect) =>
      effect.kind === 'resource' && effect.access === 'write' ? [effect.resource] : [],
    ),
  };
}

export function isNothing({ isUnknown, paths, resources }: ProposedChange): boolean {
  return !isUnknown && paths.length === 0 && resources.length === 0;
}

/** Whether a change may alter the result of a call with these effects. */
export function touches(effects: readonly Effect[], change: ProposedChange): boolean {
  if (isNothing(change)) return false;
  const { isUnknown, paths, resources } = change;
  return effects.some((effect) => {
    switch (effect.kind) {
      case 'read':
      case 'write':
      case 'delete':
        return isUnknown || paths.some((path) => isIn(path, effect));
      case 'secret':
        return isUnknown || paths.includes(effect.path);
      case 'resource':
        return isUnknown || resources.includes(effect.resource);
      case 'network':
      case 'privilege':
        return false;
      case 'write-unknown':
      case 'repository-code':
      case 'process':
        return true;
    }
  });
}

function isIn(path: string, { path: of, scope }: { readonly path: string; readonly scope: string }): boolean {
  if (scope === 'glob' || of === '.') return true;
  return path === of || (scope === 'tree' && path.startsWith(`${of}/`));
}
