import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownFileOf, settingsFiles } from '../runtime/settings/settings-files.ts';

/** Where tests keep the user's own settings of a workspace: next to it, and removed with it. */
export function configHomeOf(workspace: string): string {
  return `${workspace}.config`;
}

/** Writes `.signalbox/local.yaml` as the user would, and confirms it. */
export async function writeOwnSettings(
  workspace: string,
  { text, configHome = configHomeOf(workspace) }: Readonly<{ text: string; configHome?: string }>,
): Promise<void> {
  const backend = { directory: workspace, env: { XDG_CONFIG_HOME: configHome } };
  const { yours } = settingsFiles(backend);
  mkdirSync(dirname(yours), { recursive: true, mode: 0o700 });
  writeFileSync(yours, text);
  await (await ownFileOf(backend)).confirm();
}
