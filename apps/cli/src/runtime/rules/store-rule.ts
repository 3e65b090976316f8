import type { Context } from '../contract/context.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { SettingsScope } from './settings-files.ts';
import { openRulesFile } from './rules-file.ts';

export type RuleOnDisk = Readonly<{
  rule: Readonly<Record<string, unknown>> & { readonly id: string };
  /** Display name of the file. */
  file: string;
  /** False for an allow rule in a shared file, until `signalbox rules trust`. */
  counts: boolean;
}>;

/**
 * Adds a rule to that file under a free name and reloads the settings. If they can't be loaded, the file is restored.
 */
export async function storeRule(
  rule: Readonly<Record<string, unknown>> & { readonly id: string },
  whose: SettingsScope,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<RuleOnDisk> {
  const file = await openRulesFile(whose, context);
  const named = { ...rule, id: freshId(rule.id, file.ids) };
  await file.add(named);
  const { settings } = await loadSettings(context).catch(async (error: unknown) => {
    await file.restore();
    throw error;
  });
  const counts = !settings.rules.some(({ id, isTrusted }) => id === named.id && !isTrusted);
  return { rule: named, file: file.name, counts };
}

function freshId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  let n = 2;
  while (taken.includes(`${id}-${n}`)) n += 1;
  return `${id}-${n}`;
}
