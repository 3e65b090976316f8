import { Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { openSettingsFile, type SettingsScope } from './settings-files.ts';
import type { Context } from '../contract/context.ts';
import { SettingsFileError } from '../settings/settings-file-error.ts';

/** A settings file whose rules are edited; comments and everything else stay. */
export type RulesFile = Readonly<{
  /** Display name. */
  name: string;
  ids: readonly string[];
  add(rule: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns whether the rule existed. */
  remove(id: string): Promise<boolean>;
  /** Restores the previous content. */
  restore(): Promise<void>;
}>;

export async function openRulesFile(
  whose: SettingsScope,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<RulesFile> {
  const { name, text: before, write } = await openSettingsFile(whose, context);
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

/** A rule exactly as `add` writes it into a file without rules. */
export function ruleAsWritten(rule: Readonly<Record<string, unknown>>): string {
  const document = new Document({});
  document.set('rules', document.createNode([nodeOf(document, rule)]));
  return document.toString({ lineWidth: 0 });
}

/** Its matcher is on one line. */
function nodeOf(document: Document, rule: Readonly<Record<string, unknown>>): YAMLMap {
  const node = document.createNode(rule) as YAMLMap;
  for (const ruling of ['allow', 'ask', 'deny']) {
    const matcher: unknown = node.get(ruling, true);
    if (isMap(matcher)) matcher.flow = true;
  }
  return node;
}
