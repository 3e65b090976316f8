import { ALL_MODES, CommandId, defineTool, type Effect, type KeptChange, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { undoHunk } from './undo-hunk.ts';

/** Git's files are claimed by git's own resources. Code among them can't be changed by a command. */
function effectsOn(path: string): readonly Effect[] {
  const isGit = path.split('/').includes('.git');
  if (!isGit) return [{ kind: 'write', path, scope: 'file' }];
  return ['git:index', 'git:refs'].map((resource) => ({ kind: 'resource', resource, access: 'write' }));
}

/** For people only: a model writes its change back itself. */
export const undo = defineTool({
  name: 'undo',
  description: 'Undoes the file changes of a command, unless the files have changed since.',
  audience: 'people',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'medium',
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  args: z.strictObject({
    command: CommandId,
    /** Exactly the paths shown to the user; other changes are not undone. */
    paths: z.array(z.string()),
    /** Whether to overwrite later changes. */
    force: z.boolean().default(false),
    /** Whether to undo only `paths` and keep the other changes. */
    part: z.boolean().default(false),
    /** Undoes only this hunk of a single path, by its header: `@@ -3,4 +3,6 @@`. */
    hunk: z.string().max(100).optional(),
  }),
  output: z.string(),
  describe: ({ command }) => command,
  effects: ({ paths }) => paths.flatMap(effectsOn),
  async handle({ command, paths, force, part, hunk }, context) {
    const { files } = context;
    if (hunk !== undefined) return undoHunk({ command, path: paths[0] ?? '.', hunk }, context);
    const shown = new Set(paths);
    const changes = await files.changesOf(command);
    if (changes === null) throw nothingKept(command);
    const others = changes.filter(({ path }) => !shown.has(path));
    if (others.length > 0 && !part)
      throw refusal(command, [`it also changed ${others[0]?.path}`], { code: 'not-shown' });
    const how = new Map(changes.map((change) => [change.path, howChanged(change)]));
    const answer = await files.undo(command, { isForced: force, only: part ? paths : undefined });
    switch (answer.kind) {
      case 'undone':
        return { output: `${command}: ${part ? `${paths.join(', ')} ` : ''}undone`, files: answer.changes };
      case 'changed-since':
        throw refusal(
          command,
          answer.paths.map((path) => `${path} was ${how.get(path) ?? 'changed'} afterwards`),
          { code: 'undo-conflict' },
        );
      case 'refused':
        throw refusal(command, answer.why, { code: 'undo-refused' });
    }
  },
});

function howChanged({ isByHand, isDeleted }: KeptChange): string {
  if (!isByHand) return 'changed';
  return isDeleted === true ? 'deleted by hand' : 'edited by hand';
}

function nothingKept(command: string): ToolFailure {
  return new ToolFailure({
    code: 'nothing-to-undo',
    category: 'PermanentFailure',
    message: `Cannot undo ${command}: no undo copy exists`,
  });
}

function refusal(command: string, why: readonly string[], { code }: Readonly<{ code: string }>): ToolFailure {
  return new ToolFailure({
    code,
    category: 'PermanentFailure',
    message: `Cannot undo ${command}: ${why[0] ?? 'it was refused'}`,
    suggestion: `Look at what it changed: signalbox diff ${command}`,
    ...(why.length > 1 ? { why } : {}),
  });
}
