import * as z from 'zod';
import {
  type Collector,
  createCollector,
  type Imported,
  prefixMatcher,
  type RulingWord,
  wordsOf,
} from './imported.ts';

const Settings = z.looseObject({
  permissions: z
    .looseObject({
      allow: z.array(z.string()).default([]),
      ask: z.array(z.string()).default([]),
      deny: z.array(z.string()).default([]),
    })
    .optional(),
});

const EDITS = ['write_file', 'edit_file'] as const;

/**
 * Converts the permissions of a Claude Code `settings.json` to rules (code.claude.com/docs/en/permissions).
 *
 * @param value the parsed file
 */
export function importClaudeCode(value: unknown): Imported {
  const collector = createCollector();
  const parsed = Settings.safeParse(value);
  const permissions = parsed.data?.permissions;
  if (permissions === undefined) {
    collector.skip('the file', 'has no permissions');
    return collector.imported();
  }
  for (const ruling of ['deny', 'ask', 'allow'] as const) {
    for (const written of permissions[ruling]) takeOver(written, ruling, collector);
  }
  for (const key of Object.keys(permissions)) {
    if (key !== 'allow' && key !== 'ask' && key !== 'deny')
      collector.skip(
        `permissions.${key}`,
        'is not a rule; see approval.approval_mode and sandbox.allowed_paths',
      );
  }
  return collector.imported();
}

function takeOver(written: string, ruling: RulingWord, collector: Collector): void {
  const [, tool = written, content] = /^([A-Za-z_0-9-]+)(?:\(([^]*)\))?$/.exec(written.trim()) ?? [];
  switch (tool) {
    case 'Bash':
      return takeBash(written, content, { ruling, collector });
    case 'Read':
    case 'Edit':
    case 'Write':
      return takePath(written, { tool, content, ruling }, collector);
    case 'WebFetch':
      return takeWeb(written, content, { ruling, collector });
    default:
      return collector.skip(written, `no tool here is called "${tool}"`);
  }
}

function takeBash(
  written: string,
  content: string | undefined,
  { ruling, collector }: Readonly<{ ruling: RulingWord; collector: Collector }>,
): void {
  if (content === undefined || content === '*') {
    if (ruling === 'allow')
      return collector.skip(written, 'allows every shell line; no rule can do that here');
    return collector.add(written, ruling, { matcher: { tool: 'bash' } });
  }
  const prefix = /^([^]+?)(?::\*|\s\*)$/.exec(content)?.[1];
  const words = wordsOf(prefix ?? content);
  if (words === undefined) return collector.skip(written, 'is not a single program with its arguments');
  if (prefix !== undefined) return collector.add(written, ruling, { matcher: prefixMatcher(ruling, words) });
  const [program, ...args] = words;
  const patterns = args.map((word) => (word === '*' ? '**' : word));
  return collector.add(written, ruling, { matcher: { program, args: patterns } });
}

function takePath(
  written: string,
  { tool, content, ruling }: { tool: string; content: string | undefined; ruling: RulingWord },
  collector: Collector,
): void {
  if (content === undefined) return collector.skip(written, 'covers every file; use the tool lists instead');
  const path = pathOf(content);
  if (tool === 'Read') {
    // A path denied to one reading tool is denied to all: `cat` reads it too.
    return collector.add(written, ruling, {
      matcher: ruling === 'allow' ? { tool: 'read_file', path } : { path },
    });
  }
  if (ruling !== 'allow')
    return collector.add(written, ruling, {
      matcher: { path },
      more: { tools: [...EDITS, 'delete_file', 'bash'] },
    });
  for (const name of EDITS) collector.add(written, ruling, { matcher: { tool: name, path } });
}

/** `//x` is absolute, `/x` and `./x` are in the workspace, a bare name matches at any depth. */
function pathOf(content: string): string {
  if (content.startsWith('//')) return content.slice(1);
  if (content.startsWith('~')) return content;
  const isAnchored = content.startsWith('/') || content.startsWith('./');
  const path = content.replace(/^\.?\//, '');
  return isAnchored || path.includes('/') ? path : `**/${path}`;
}

function takeWeb(
  written: string,
  content: string | undefined,
  { ruling, collector }: Readonly<{ ruling: RulingWord; collector: Collector }>,
): void {
  if (ruling === 'allow')
    return collector.skip(written, 'no rule can allow the network as a whole; name the program');
  if (content === undefined) return collector.add(written, ruling, { matcher: { effect: 'network' } });
  const host = /^domain:(?:\*\.)?([a-z0-9.-]+)$/i.exec(content)?.[1];
  if (host === undefined) return collector.skip(written, 'is not a host name');
  return collector.add(written, ruling, { matcher: { effect: 'network', host } });
}
