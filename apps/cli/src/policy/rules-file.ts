import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { Context } from '../frame/context.ts';
import { LOCAL_FILE, settingsFiles, SHARED_FILE } from '../settings/load-settings.ts';
import { SettingsFileError } from '../settings/settings-file-error.ts';

export type Whose = 'user' | 'local' | 'workspace';

/** A file of settings whose rules are changed; comments and all else in it stay. */
export type RulesFile = Readonly<{
  /** As people know it. */
  name: string;
  ids: readonly string[];
  add(rule: Readonly<Record<string, unknown>>): Promise<void>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Puts back what stood there before. */
  restore(): Promise<void>;
}>;

export async function openRulesFile(
  whose: Whose,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<RulesFile> {
  const files = settingsFiles(context);
  const [path, name] = {
    user: [files.user, files.user] as const,
    local: [files.yours, LOCAL_FILE] as const,
    workspace: [files.shared, SHARED_FILE] as const,
  }[whose];
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new SettingsFileError(`Cannot read ${name}`, { why: [String(error)] });
  });
  const document = parseDocument(before ?? '');
  if (document.errors.length > 0) {
    throw new SettingsFileError(`Cannot change ${name}: it is not YAML`, {
      why: [document.errors[0]?.message ?? ''],
    });
  }
  const rules = (): readonly YAMLMap[] => {
    const list = document.get('rules', true);
    return isSeq(list) ? list.items.filter((item) => isMap(item)) : [];
  };

  async function write(text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }

  return {
    name,
    ids: rules().map((rule) => String(rule.get('id'))),
    async add(rule) {
      const node = nodeOf(document, rule);
      const list = document.get('rules', true);
      if (isSeq(list)) list.add(node);
      else document.set('rules', document.createNode([node]));
      await write(document.toString({ lineWidth: 0 }));
    },
    async remove(id) {
      const list = document.get('rules', true);
      if (!isSeq(list)) return false;
      const at = list.items.findIndex((item) => isMap(item) && String(item.get('id')) === id);
      if (at < 0) return false;
      list.items.splice(at, 1);
      if (list.items.length === 0) document.delete('rules');
      await write(document.toString({ lineWidth: 0 }));
      return true;
    },
    async restore() {
      await write(before ?? '');
    },
  };
}

/** A rule exactly as `add` writes it into a file that has none yet. */
export function ruleAsWritten(rule: Readonly<Record<string, unknown>>): string {
  const document = new Document({});
  document.set('rules', document.createNode([nodeOf(document, rule)]));
  return document.toString({ lineWidth: 0 });
}

/** Its matcher stands on one line. */
function nodeOf(document: Document, rule: Readonly<Record<string, unknown>>): YAMLMap {
  const node = document.createNode(rule) as YAMLMap;
  for (const ruling of ['allow', 'ask', 'deny']) {
    const matcher: unknown = node.get(ruling, true);
    if (isMap(matcher)) matcher.flow = true;
  }
  return node;
}
