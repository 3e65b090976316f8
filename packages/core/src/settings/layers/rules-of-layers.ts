import type { Note } from './clamp-settings.ts';
import type { SettingsLayer } from './settings-layer.ts';
import { getIn } from '../keys/settings-path.ts';
import { AuthorizationRules, RULE_LISTS, type UserRule, UserRules } from '../rules/user-rule.ts';

/** Whether a person of this workspace has seen that rule of a shared file, in its present form, and trusts it. */
export type IsTrusted = (rule: UserRule) => boolean;

/**
 * The rules of all files, one after another: none replaces another. Each knows its file and line. An `allow` of a
 * shared file does nothing until a person trusts it: a cloned repository must not approve its own commands.
 */
export function rulesOfLayers(
  layers: readonly SettingsLayer[],
  isTrusted: IsTrusted,
): { readonly rules: UserRule[]; readonly notes: readonly (Note & { source?: string })[] } {
  const notes: (Note & { source?: string })[] = [];
  const hasLists = listsThatCount(layers);
  const rules = layers.flatMap((layer) =>
    writtenRules(layer, hasLists(layer)).map((rule): UserRule => {
      const { kind, source, lineOf } = layer;
      const path = [...RULE_LISTS[rule.list], rule.at];
      const line = lineOf?.(path) ?? null;
      const trusted = kind !== 'workspace' || rule.ruling !== 'allow' || isTrusted(rule);
      if (!trusted) notes.push({ path, source, message: UNTRUSTED(rule.id) });
      const position = line === null ? source : `${source}:${line}`;
      return { ...rule, layer: kind, source: position, file: source, isTrusted: trusted };
    }),
  );
  return { rules, notes };
}

/** A layer that does not parse has been refused before. */
function writtenRules({ value }: SettingsLayer, hasList: boolean): readonly UserRule[] {
  const rules = UserRules.safeParse(getIn(value, RULE_LISTS.rules) ?? []).data ?? [];
  if (!hasList) return rules;
  return [
    ...rules,
    ...(AuthorizationRules.safeParse(getIn(value, RULE_LISTS.authorization) ?? []).data ?? []),
  ];
}

/** Your files enable and disable your lists together; a shared file controls only its own, never yours. */
function listsThatCount(layers: readonly SettingsLayer[]): (layer: SettingsLayer) => boolean {
  const enabledIn = ({ value }: SettingsLayer): unknown =>
    getIn(value, ['tools', 'authorization', 'enabled']);
  const own = layers.filter(({ kind }) => kind !== 'workspace').map(enabledIn);
  const isOwnOn = own.findLast((enabled) => enabled !== undefined && enabled !== null) === true;
  return (layer) => (layer.kind === 'workspace' ? enabledIn(layer) === true : isOwnOn);
}

const UNTRUSTED = (id: string): string =>
  `untrusted-rules: allow rule "${id}" is ignored: not trusted here; until then its commands need approval. See: signalbox rules trust`;
