import { createHash } from 'node:crypto';
import { canonicalJson, JsonObject } from '@signalbox/core';
import { visible } from '@signalbox/core/visible-text';
import * as z from 'zod';
import { cleanJson, cleanText } from './clean-text.ts';
import { toolNames } from './tool-names.ts';

const MAX_TOOLS = 200;
const LONGEST_DESCRIPTION = 2000;
const LONGEST_SCHEMA_TEXT = 1000;
const MAX_SCHEMA_BYTES = 32 * 1024;
const DEEPEST_SCHEMA = 24;

/** A tool as its server lists it, safe to show to models and people. */
export const ListedTool = z
  .strictObject({
    /** Our name: `mcp__github__create_issue`. */
    name: z.string(),
    /** The server's name. */
    theirs: z.string(),
    description: z.string(),
    inputSchema: JsonObject,
    hints: z
      .strictObject({
        readOnly: z.boolean().optional(),
        destructive: z.boolean().optional(),
        idempotent: z.boolean().optional(),
        openWorld: z.boolean().optional(),
      })
      .readonly(),
    /** Hash of everything the server says about it, and of the server's identity. */
    definition: z.string(),
  })
  .readonly();
export type ListedTool = z.infer<typeof ListedTool>;

/** A tool as the protocol's client returns it. */
export type RawTool = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?:
    | {
        readonly title?: string | undefined;
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
        readonly idempotentHint?: boolean | undefined;
        readonly openWorldHint?: boolean | undefined;
      }
    | undefined;
};

export type ListedTools = {
  readonly tools: readonly ListedTool[];
  /** Tools that are not offered, each with the reason, one per line. */
  readonly leftOut: readonly string[];
};

/**
 * Reads a server's list of tools. A tool that can't be offered safely is omitted with a reason.
 *
 * @param identity Identifies the server, for example its command line: the same tool of another program is a
 * different tool.
 */
export function readListing(
  { server, identity }: { readonly server: string; readonly identity: string },
  listed: readonly RawTool[],
): ListedTools {
  const leftOut: string[] = [];
  const times = Map.groupBy(listed, ({ name }) => name);
  const once = [...times.values()].flatMap((same) => {
    const [tool] = same;
    if (tool === undefined) return [];
    const why = same.length > 1 ? `it is listed ${same.length} times` : whyUnfit(tool);
    if (why === null) return [tool];
    leftOut.push(`${shown(tool.name)}: ${why}`);
    return [];
  });
  const offered = once.slice(0, MAX_TOOLS);
  if (once.length > MAX_TOOLS)
    leftOut.push(`${once.length - MAX_TOOLS} more: it lists over ${MAX_TOOLS} tools`);
  const names = toolNames(
    server,
    offered.map(({ name }) => name),
  );
  return {
    tools: offered.map((tool) => toListed(tool, { name: names.get(tool.name) ?? tool.name, identity })),
    leftOut,
  };
}

function toListed(
  tool: RawTool,
  { name, identity }: Readonly<{ name: string; identity: string }>,
): ListedTool {
  const { annotations = {}, title = annotations.title } = tool;
  const said = [title, tool.description].filter((text) => text !== undefined && text !== '').join(': ');
  const { name: theirs, description, inputSchema, outputSchema } = tool;
  return {
    name,
    theirs,
    description: cleanText(said === '' ? theirs : said, LONGEST_DESCRIPTION),
    inputSchema: JsonObject.parse(cleanJson(inputSchema, LONGEST_SCHEMA_TEXT)),
    hints: {
      ...hint('readOnly', annotations.readOnlyHint),
      ...hint('destructive', annotations.destructiveHint),
      ...hint('idempotent', annotations.idempotentHint),
      ...hint('openWorld', annotations.openWorldHint),
    },
    definition: createHash('sha256')
      .update(canonicalJson({ identity, theirs, title, description, inputSchema, outputSchema, annotations }))
      .digest('hex'),
  };
}

function hint(name: string, value: boolean | undefined): Record<string, boolean> {
  return value === undefined ? {} : { [name]: value };
}

function whyUnfit({ name, inputSchema }: RawTool): string | null {
  if (name === '' || name.length > 128) return 'its name is empty or over 128 characters';
  if (visible(name) !== name) return 'its name has characters that hide or look like others';
  if (!JsonObject.safeParse(inputSchema).success) return 'its schema is not a JSON object';
  if (Buffer.byteLength(JSON.stringify(inputSchema)) > MAX_SCHEMA_BYTES)
    return `its schema is over ${MAX_SCHEMA_BYTES} bytes`;
  return whyUnfitSchema(inputSchema, 0);
}

/** An external reference would make a provider, or us, fetch an address chosen by the server. */
function whyUnfitSchema(schema: unknown, depth: number): string | null {
  if (depth > DEEPEST_SCHEMA) return `its schema is over ${DEEPEST_SCHEMA} levels deep`;
  if (schema === null || typeof schema !== 'object') return null;
  for (const [key, part] of Object.entries(schema)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof part === 'string' && !part.startsWith('#'))
      return `its schema refers to "${shown(part)}"`;
    const why = whyUnfitSchema(part, depth + 1);
    if (why !== null) return why;
  }
  return null;
}

function shown(name: string): string {
  return visible(name.slice(0, 64).toWellFormed());
}
