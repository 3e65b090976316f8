import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { runOnTerminal } from '@signalbox/sandbox/programs';
import type { Context } from '../runtime/contract/context.ts';
import { plainEnv } from '../terminal/plain-env.ts';

type EditorContext = Pick<Context, 'directory' | 'env'>;

/** What the text is, for messages, and what to type if no editor can be opened. */
type Wording = Readonly<{ what: string; next: string }>;

/**
 * Opens a copy of a text in the user's editor (`VISUAL`, `EDITOR`, vi), in a file of that name, each time `use` calls
 * `edit`; the file is removed afterwards.
 *
 * @throws {UnavailableError} `no-editor`
 */
export async function withEditor<Answer>(
  { name, text, ...wording }: Readonly<{ name: string; text: string }> & Wording,
  context: EditorContext,
  use: (edit: () => Promise<string>) => Promise<Answer>,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-edit-'));
  try {
    const draft = join(folder, name);
    writeFileSync(draft, text, { mode: 0o600 });
    return await use(async () => {
      await openEditor(draft, wording, context);
      return readFileSync(draft, 'utf8');
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openEditor(
  draft: string,
  { what, next }: Wording,
  { directory, env }: EditorContext,
): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // The value may contain arguments, such as "code --wait": a shell parses it, as git does.
  const exitCode = await runOnTerminal(['/bin/sh', '-c', `${editor} "$1"`, editor, draft], {
    cwd: directory,
    env: plainEnv(env),
  });
  if (exitCode === 0) return;
  throw new UnavailableError('no-editor', `Cannot edit ${what}: "${editor}" failed`, {
    why: [exitCode === null ? 'it was killed by a signal' : `it exited with ${exitCode}`],
    next: ['export EDITOR=nano', next],
  });
}
