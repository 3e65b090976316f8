import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  defaultSettings,
  type FileWrites,
  ProviderId,
  settingsJsonSchema,
  UsageError,
} from '@signalbox/core';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import { loadDraft } from '../../runtime/rules/draft.ts';
import { ruleYaml } from '../../runtime/rules/rule-yaml.ts';
import { confirmAtStart } from './trust-settings.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { findLines } from '../../runtime/workspace/find-lines.ts';
import { askFileWrites } from './ask-file-writes.ts';
import { gitignoreWith, localFile, SCHEMA_FILE, sharedFile } from './starting-files.ts';
import { tryTests } from './try-tests.ts';
import { agreeAtStart } from '../rules/agree-at-start.ts';
import { probeIsolation } from '../../runtime/probe-isolation.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { LOCAL_FILE, ownFileOf } from '../../runtime/settings/settings-files.ts';
import type { OwnFile } from '../../runtime/settings/own-file.ts';
import { writeShared } from '../../runtime/settings/shared-file.ts';
import { requireOwnState, SHARED_FILE } from '../../runtime/workspace/state-folder.ts';
import { writeWhole } from '../../runtime/workspace/write-whole.ts';
import { initView } from './init-view.ts';
import { PresetName } from './preset-settings.ts';
import { realFolder, refuseNested } from '../../runtime/workspace/find-workspace.ts';
import { refuseSystem, refuseWhole } from '../../runtime/workspace/refuse-whole.ts';

const OLLAMA_PATIENCE_MS = 500;

/** `signalbox init`: inspects the workspace and writes a short `signalbox.yaml`. */
export const init = defineSubcommand({
  name: 'init',
  args: z.object({
    dir: z.string().optional(),
    print: z.boolean().default(false),
    force: z.boolean().default(false),
    tryTests: z.boolean().default(false),
    from: z.enum(['claude-code', 'codex', 'gemini']).optional(),
    preset: PresetName.optional(),
  }),
  async run({ dir, print, force, from, preset, tryTests: isWanted }, given) {
    // Without DIR it is the workspace of the current folder, as with every subcommand; DIR is that very folder.
    const workspace = dir === undefined ? given.directory : realFolder(resolve(given.cwd, dir));
    if (dir === undefined) refuseWhole(workspace, given.env);
    else refuseSystem(workspace, given.env);
    refuseNested(workspace, given.env);
    requireOwnState(workspace);
    const context: Context = { ...given, directory: workspace };
    const providers = keysFound(context.env);
    const { tests } = findLines(workspace, { tests: null, lint: null });
    const shared = sharedFile({ providers, tests, preset });
    const found = { workspace, providers, tests, preset: preset ?? null };
    const imported = from === undefined ? null : await importFrom(from, context);
    const own = await ownFileOf(context);
    // A preset decides when file changes need approval.
    const isDecided = print || own.text !== null || preset !== undefined;
    const fileWrites = isDecided ? undefined : await askFileWrites(context);
    const local = localText({ own, imported, fileWrites });
    if (print) {
      if (context.flags.json) {
        const yours = imported === null ? null : local;
        context.json({ ...found, written: [], settings: shared, local: yours });
      } else context.write(imported === null ? shared : `${shared}---\n# ${LOCAL_FILE}\n${local ?? ''}`);
      return EXIT.ok;
    }
    refuseInsideCommand(context, 'set up a workspace');
    await confirmAtStart(context);
    if (existsSync(join(workspace, SHARED_FILE)) && !force) throw setUpAlready(workspace);
    await loadDraft(
      'set up this workspace',
      new Map([
        [join(workspace, SHARED_FILE), shared],
        ...(local === null ? [] : [[join(workspace, LOCAL_FILE), local] as const]),
      ]),
      context,
    );
    if (local !== null) await own.write(local);
    const others = writeOthers(workspace, shared);
    const written = local === null ? others : [LOCAL_FILE, ...others];
    const { env, clock } = context;
    const network = await agreeAtStart(context);
    const isolation = await probeIsolation({ workspace, path: env['PATH'], clock, container: null });
    const hasOllama = providers.length === 0 && (await isOllamaThere());
    const canTry = tests !== null && 'layer' in isolation && isolation.layer !== 'none';
    const trial = canTry ? await tryTests({ tests, isWanted }, context) : null;
    context.answer({
      json: () => ({
        ...found,
        trial,
        isolation: 'layer' in isolation ? isolation : null,
        written,
        network,
        imported,
      }),
      lines: () =>
        initView({
          workspace: workspace === given.cwd ? null : workspace,
          providers,
          tests,
          preset: preset ?? null,
          written,
          fileWrites: fileWrites ?? null,
          isolation,
          network,
          trial,
          hasOllama,
          imported:
            imported === null
              ? null
              : { name: imported.name, rules: imported.rules.length, skipped: imported.skipped.length },
        }),
    });
    return EXIT.ok;
  },
});

type ImportedRules = Readonly<{
  from: string;
  name: string;
  rules: readonly object[];
  skipped: readonly Readonly<{ rule: string; why: string }>[];
}>;

async function importFrom(from: string, context: Context): Promise<ImportedRules> {
  const { readImport } = await import('../rules/read-import.ts');
  const imported = await readImport({ from, file: undefined }, context);
  context.say(
    imported.skipped.map(({ rule, why }) =>
      line(as('warn', 'left out '), as('bold', rule), muted(`: ${why}`)),
    ),
  );
  return { from, ...imported };
}

/** A user's own file is written once, and later only to import rules; null: it stays unchanged. */
function localText({
  own: { text: present },
  imported,
  fileWrites,
}: Readonly<{
  own: OwnFile;
  imported: ImportedRules | null;
  fileWrites: FileWrites | undefined;
}>): string | null {
  if (imported === null) return present === null ? localFile(fileWrites) : null;
  return withRules(present ?? localFile(fileWrites), imported);
}

/** Returns the names of the written files. */
function writeOthers(workspace: string, shared: string): readonly string[] {
  const gitignoreFile = join(workspace, '.gitignore');
  const gitignore = gitignoreWith(existsSync(gitignoreFile) ? readFileSync(gitignoreFile, 'utf8') : null);
  const files: readonly (readonly [string, string])[] = [
    [SCHEMA_FILE, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`],
    ...(gitignore === null ? [] : [['.gitignore', gitignore] as const]),
  ];
  for (const [name, text] of files) writeWhole(join(workspace, name), text);
  // Last: with this file a workspace counts as set up.
  writeShared(join(workspace, SHARED_FILE), shared);
  return [...files.map(([name]) => name), SHARED_FILE];
}

function setUpAlready(workspace: string): UsageError {
  return new UsageError(
    'already-set-up',
    `Cannot set up "${basename(workspace)}": ${SHARED_FILE} already exists`,
    {
      why: [join(workspace, SHARED_FILE)],
      next: ['signalbox config list', 'signalbox init --force      overwrites it'],
    },
  );
}

/** Whether a model server on this machine responds at the preset's address. */
async function isOllamaThere(): Promise<boolean> {
  const address = defaultSettings().providers['ollama']?.base_url;
  if (address === undefined) return false;
  const signal = AbortSignal.timeout(OLLAMA_PATIENCE_MS);
  const answer = await fetch(new URL('/api/version', address), { signal }).catch(() => null);
  return answer?.ok === true;
}

/** Providers of the presets whose API key is in the environment. */
export function keysFound(env: Readonly<Record<string, string | undefined>>): readonly ProviderId[] {
  return Object.entries(defaultSettings().providers).flatMap(([id, { api_key_env }]) =>
    api_key_env !== null && (env[api_key_env] ?? '') !== '' ? [ProviderId.parse(id)] : [],
  );
}

/**
 * A user's own file with imported rules.
 *
 * @throws {UsageError} `has-rules` if it has some already: only the user knows which of the two apply
 */
function withRules(text: string, { from, rules }: { from: string; rules: readonly object[] }): string {
  if (rules.length === 0) return text;
  if (parseDocument(text).has('rules')) {
    throw new UsageError('has-rules', `Cannot import the rules of ${from}: ${LOCAL_FILE} already has rules`, {
      next: [`signalbox policy import ${from}   prints them, to copy by hand`],
    });
  }
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}\n# From ${from}, by signalbox init. They apply only here: signalbox rules lists them.\n${ruleYaml(rules)}`;
}
