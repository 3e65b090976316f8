import type { Note } from './clamp-settings.ts';
import type { SettingsLayer } from './settings-layer.ts';
import { getIn } from './settings-path.ts';
import { type UserRule, UserRules } from './user-rule.ts';

/** Whether a person of this workspace has seen that rule of a shared file, as it is now, and trusts it. */
export type IsTrusted = (rule: UserRule) => boolean;

/**
 * The rules of all files, one after another: none replaces another. Each knows its file and line. An `allow`
 * of a shared file does nothing until a person trusted it: a cloned repository must not approve its commands.
 */
export function rulesOfLayers(
  layers: readonly SettingsLayer[],
  isTrusted: IsTrusted,
): { readonly rules: UserRule[]; readonly notes: readonly (Note & { source?: string })[] } {
  const notes: (Note & { source?: string })[] = [];
  const rules = layers.flatMap(({ kind, source, value, lineOf }) => {
    const parsed = UserRules.safeParse(getIn(value, ['rules']) ?? []);
    // A layer that does not parse has been refused before.
    return (parsed.data ?? []).map((rule, at): UserRule => {
      const line = lineOf?.(['rules', at]) ?? null;
      const trusted = kind !== 'workspace' || rule.ruling !== 'allow' || isTrusted(rule);
      if (!trusted) notes.push({ path: ['rules', at], source, message: UNTRUSTED(rule.id) });
      const place = line === null ? source : `${source}:${line}`;
      return { ...rule, layer: kind, source: place, file: source, isTrusted: trusted };
    });
  });
  return { rules, notes };
}

const UNTRUSTED = (id: string): string =>
  `untrusted-rules: allow rule "${id}" does not count: nobody here trusted it; until then its commands ask. See: signalbox rules trust`;
