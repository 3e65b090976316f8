import { ALL_MODES, CommandId, defineTool, type Effect, type KeptChange, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { undoHunk } from './undo-hunk.ts';

/** What git keeps is held by git's own names; what of it is code, no command was let change. */
function effectsOn(path: string): readonly Effect[] {
  const isGit = path.split('/').includes('.git');
  if (!isGit) return [{ kind: 'write', path, scope: 'file' }];
  return ['git:index', 'git:refs'].map((resource) => ({ kind: 'resource', resource, access: 'write' }));
}

/** For people alone: a model that wants its change back writes it. */
export const undo = defineTool({
  name: 'undo',
  description: 'Takes back what a command changed, where nobody has changed it since.',
  audience: 'people',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'medium',
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  args: z.strictObject({
    command: CommandId,
    /** Exactly what the person was shown: what it changed besides is not taken back. */
    paths: z.array(z.string()),
    /** Later changes are overwritten too. */
    force: z.boolean().default(false),
    /** Of all that it changed `paths` alone; the others stay. */
    part: z.boolean().default(false),
    /** Of the one path this hunk alone, by its head: `@@ -3,4 +3,6 @@`. */
    hunk: z.string().max(100).optional(),
  }),
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
      throw refusal(command, [`it also changed ${others[0]?.path}`], 'not-shown');
    const how = new Map(changes.map((change) => [change.path, howChanged(change)]));
    const answer = await files.undo(command, { isForced: force, only: part ? paths : undefined });
    switch (answer.kind) {
      case 'undone':
        return { output: `${command}: ${part ? `${paths.join(', ')} ` : ''}undone`, files: answer.changes };
      case 'changed-since':
        throw refusal(
          command,
          answer.paths.map((path) => `${path} was ${how.get(path) ?? 'changed'} after it`),
          'undo-conflict',
        );
      case 'refused':
        throw refusal(command, answer.why, 'undo-refused');
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

function refusal(command: string, why: readonly string[], code: string): ToolFailure {
  return new ToolFailure({
    code,
    category: 'PermanentFailure',
    message: `Cannot undo ${command}: ${why[0] ?? 'it was refused'}`,
    suggestion: `Look at what it changed: signalbox diff ${command}`,
    ...(why.length > 1 ? { why } : {}),
  });
}
