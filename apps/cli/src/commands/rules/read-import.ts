import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '@signalbox/core';
import { type Imported, importClaudeCode, importCodex, importGemini } from '@signalbox/policy';
import { parse as parseToml } from 'smol-toml';
import type { Context } from '../../runtime/contract/context.ts';

type Source = Readonly<{
  /** Where its rules are looked up by default; the first existing file counts. */
  files: readonly string[];
  read(text: string): Imported;
}>;

/**
 * The rules of another program, converted, and those that can't be.
 *
 * @param from `claude-code`, `codex` or `gemini`.
 * @param file Their file; undefined: the usual ones.
 * @throws {UsageError} for an unknown program, and a missing or unreadable file
 */
export async function readImport(
  { from, file }: { readonly from: string | undefined; readonly file: string | undefined },
  context: Context,
): Promise<Imported & { readonly name: string }> {
  const sources = sourcesIn(context);
  const source = from === undefined || !Object.hasOwn(sources, from) ? undefined : sources[from];
  if (source === undefined) {
    const names = Object.keys(sources);
    throw new UsageError('usage', `Cannot import from ${from === undefined ? 'nowhere' : `"${from}"`}`, {
      why: [`one of ${names.join(', ')}`],
      next: names.map((name) => `signalbox policy import ${name}`),
    });
  }
  const { name, text } = await firstOf(file === undefined ? source.files : [resolve(context.cwd, file)]);
  return { name, ...reading(name, () => source.read(text)) };
}

function sourcesIn({ directory, env }: Context): Readonly<Record<string, Source>> {
  const home = env['HOME'] ?? homedir();
  return {
    'claude-code': {
      files: [
        join(directory, '.claude', 'settings.local.json'),
        join(directory, '.claude', 'settings.json'),
        join(home, '.claude', 'settings.json'),
      ],
      read: (text) => importClaudeCode(JSON.parse(text) as unknown),
    },
    codex: {
      files: [
        join(directory, '.codex', 'rules', 'default.rules'),
        join(home, '.codex', 'rules', 'default.rules'),
      ],
      read: importCodex,
    },
    gemini: {
      files: [
        join(directory, '.gemini', 'policies', 'rules.toml'),
        join(home, '.gemini', 'policies', 'rules.toml'),
      ],
      read: (text) => importGemini(parseToml(text)),
    },
  };
}

async function firstOf(files: readonly string[]): Promise<{ name: string; text: string }> {
  for (const name of files) {
    const text = await readFile(name, 'utf8').catch(() => null);
    if (text !== null) return { name, text };
  }
  throw new UsageError('no-such-file', 'Cannot import: there is no file to read', {
    why: files.map((file) => `looked for ${file}`),
    next: ['name the file: signalbox policy import codex --from-file my.rules'],
  });
}

function reading<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError('invalid-file', `Cannot read ${name}`, { why: [String(error)], cause: error });
  }
}
