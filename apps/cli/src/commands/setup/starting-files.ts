import type { FileWrites, ProviderId } from '@signalbox/core';
import { type PresetName, PRESETS } from './preset-settings.ts';

/** Findings about a workspace. */
export type StartingFiles = Readonly<{
  /** Providers whose key is in the environment. */
  providers: readonly ProviderId[];
  tests: string | null;
  /** The specification to follow; default: none. */
  preset?: PresetName | undefined;
}>;

/** Path of the JSON Schema for editors. */
export const SCHEMA_FILE = '.signalbox/schema.json';

/** A short `signalbox.yaml` with the workspace's needs; the rest is left to the defaults. */
export function sharedFile({ providers, tests, preset }: StartingFiles): string {
  const named = providers.length === 0 ? ['openai', 'anthropic'] : providers;
  return `# yaml-language-server: $schema=${SCHEMA_FILE}
# Signalbox: shared by everyone in this workspace. Your own settings: .signalbox/local.yaml
# All keys: signalbox config list. Effective values and their sources: signalbox config list --origin

# The line that runs the tests; \`signalbox run\` is done when it passes.
${tests === null ? '# tests: npm test' : `tests: ${JSON.stringify(tests)}`}

# Limit in US dollars for one run, all its providers together.
# budget: 2.00

# Providers that may work here. API keys stay in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, DEEPSEEK_API_KEY).
${providers.length === 0 ? '# ' : ''}providers:
${named.map((id) => `${providers.length === 0 ? '# ' : ''}  ${id}: {}`).join('\n')}

${preset === undefined ? APPROVAL : PRESETS[preset]}`;
}

const APPROVAL = `# When approval is needed: safe calls run without it. Blocked calls never run.
approval:
  expiry: 30m
`;

/** Only yours: here settings may loosen, in a shared file they may not. */
export function localFile(fileWrites: FileWrites = 'when_reversible'): string {
  return `# Your own settings, not in git. Settings that allow more take effect here, not in the shared signalbox.yaml.
#
# When a file change inside the workspace needs approval, by any tool or shell line:
#   when_reversible  if signalbox undo can't revert it
#   ask              always
#   never            never
# Dangerous calls, changes to others' uncommitted work and to program settings always need approval. A write based on
# an outdated read is rejected.
approval:
  file_writes: ${fileWrites}
`;
}

/** The text of `.gitignore` with our folder added; null if it is there already. */
export function gitignoreWith(text: string | null): string | null {
  const rows = (text ?? '').split('\n').map((row) => row.trim());
  if (rows.some((row) => /^\/?\.signalbox\/?$/.test(row))) return null;
  if (text === null || text === '') return '.signalbox/\n';
  return `${text.endsWith('\n') ? text : `${text}\n`}.signalbox/\n`;
}
