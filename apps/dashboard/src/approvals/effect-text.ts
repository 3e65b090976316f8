import type { Effect } from '@signalbox/core';
import type { IconName } from '../parts/icon.tsx';

export type EffectRow = Readonly<{ icon: IconName; kind: string; text: string }>;

const MAX_NAMES = 8;

/** What a call would touch, one row per kind. */
export function effectRows(effects: readonly Effect[]): readonly EffectRow[] {
  const paths = (kind: 'read' | 'write' | 'delete'): string =>
    listed(effects.flatMap((effect) => (effect.kind === kind ? [effect.path] : [])));
  const programs = (kind: 'process' | 'privilege'): string =>
    listed(effects.flatMap((effect) => (effect.kind === kind ? [effect.program] : [])));
  const has = (kind: Effect['kind']): boolean => effects.some((effect) => effect.kind === kind);
  const hosts = effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host ?? 'unknown hosts'] : [],
  );
  const rows: readonly EffectRow[] = [
    { icon: 'globe', kind: 'network', text: listed(hosts) },
    { icon: 'cross', kind: 'delete', text: paths('delete') },
    { icon: 'file', kind: 'write', text: paths('write') },
    {
      icon: 'file',
      kind: 'write',
      text: has('write-unknown') ? 'files unknown until it runs' : '',
    },
    { icon: 'file', kind: 'read', text: paths('read') },
    {
      icon: 'key',
      kind: 'secret',
      text: listed(effects.flatMap((one) => (one.kind === 'secret' ? [one.path] : []))),
    },
    { icon: 'key', kind: 'privilege', text: programs('privilege') },
    { icon: 'term', kind: 'process', text: programs('process') },
    { icon: 'term', kind: 'code', text: has('repository-code') ? 'runs workspace code' : '' },
    {
      icon: 'branch',
      kind: 'resource',
      text: listed(effects.flatMap((one) => (one.kind === 'resource' ? [one.resource] : []))),
    },
  ];
  return rows.filter(({ text }) => text !== '');
}

function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length - MAX_NAMES;
  return more > 0 ? `${all.slice(0, MAX_NAMES).join(', ')} and ${more} more` : all.join(', ');
}
