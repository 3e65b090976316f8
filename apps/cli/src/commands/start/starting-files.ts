import type { FileWrites, ProviderId } from '@signalbox/core';

/** Findings about a workspace. */
export type StartingFiles = Readonly<{
  /** Providers whose key is in the environment. */
  providers: readonly ProviderId[];
  tests: string | null;
}>;

/** Path of the JSON Schema for editors. */
export const SCHEMA_FILE = '.signalbox/schema.json';

/** A short `signalbox.yaml` with the workspace's needs; the rest is left to the defaults. */
export function sharedFile({ providers, tests }: StartingFiles): string {
  const named = providers.length === 0 ? ['openai', 'anthropic'] : providers;
  return `# yaml-language-server: $schema=${SCHEMA_FILE}
# Signalbox: shared by all who work here. Yours alone: .signalbox/local.yaml
# All keys: signalbox config list. What counts, and why: signalbox config list --origin

# The line that runs the tests; \`signalbox run\` is done when it passes.
${tests === null ? '# tests: npm test' : `tests: ${JSON.stringify(tests)}`}

# US dollars that one run may spend on all its providers.
# budget: 2.00

# Who may work here. Keys stay in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, DEEPSEEK_API_KEY).
${providers.length === 0 ? '# ' : ''}providers:
${named.map((id) => `${providers.length === 0 ? '# ' : ''}  ${id}: {}`).join('\n')}

# When a person is asked: safe calls run, others ask. What is blocked stays blocked.
approval:
  expiry: 30m
`;
}

/** Only yours: here settings may loosen, in a shared file they may not. */
export function localFile(fileWrites: FileWrites = 'when_reversible'): string {
  return `# Yours alone, not in git. What lets more through counts here, and not in the shared signalbox.yaml.
#
# When a change of a file inside the workspace asks, whichever tool or shell line makes it:
#   when_reversible  where signalbox undo can't take it back
#   ask              each time
#   never            never
# What is dangerous, takes others' uncommitted work or changes settings of programs asks in any case, and a write on
# an older reading is refused.
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
