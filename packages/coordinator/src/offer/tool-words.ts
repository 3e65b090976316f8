import { createHash } from 'node:crypto';
import type { Tool, ToolOffer } from '@signalbox/core';

/** Characters of a description and argument names that are ranked. */
const MAX_DESCRIPTION = 2000;
const MAX_ARGUMENTS = 1000;

/** What tools of other servers get after their description. */
const ORIGIN_NOTE = '\n(Tool ';

/** Its own description, without our note on its origin. */
export function ownDescription({ kind, description }: Pick<Tool, 'kind' | 'description'>): string {
  const noteAt = kind === 'mcp' ? description.lastIndexOf(ORIGIN_NOTE) : -1;
  return noteAt === -1 ? description : description.slice(0, noteAt);
}

/** The text by which a tool is ranked: name, description and argument names, bounded. */
export function rankedText(tool: Pick<Tool, 'name' | 'kind' | 'description'>, definition: ToolOffer): string {
  const { properties } = definition.inputSchema;
  const names =
    typeof properties === 'object' && properties !== null ? Object.keys(properties).join(' ') : '';
  const name = tool.name.replaceAll('_', ' ').trim();
  return `${name}: ${ownDescription(tool).slice(0, MAX_DESCRIPTION)}\n${names.slice(0, MAX_ARGUMENTS)}`;
}

/** Names a text in the store of embeddings. */
export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Whether a text names the tool: whole, or by its own name on its server. */
export function isNamed({ name }: Pick<Tool, 'name'>, words: ReadonlySet<string>): boolean {
  const [first, , ...own] = name.split('__');
  return words.has(name) || (first === 'mcp' && own.length > 0 && words.has(own.join('__')));
}

/** The words of a text that could be names of tools, lower case. */
export function nameWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z][a-z0-9_]*/g) ?? []);
}
