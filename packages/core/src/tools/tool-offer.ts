import * as z from 'zod';
import type { JsonObject } from '../json.ts';
import type { ToolOffer } from '../provider.ts';
import type { Tool } from './tool.ts';

/** The tool as offered to a model: the same bytes every time, so that the providers' prompt caches stay valid. */
export function toToolOffer(tool: Pick<Tool, 'name' | 'description' | 'args' | 'inputSchema'>): ToolOffer {
  const { name, description } = tool;
  if (tool.inputSchema !== undefined) return { name, description, inputSchema: tool.inputSchema };
  // `input`: with the default, fields that have a default would be required of the model.
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.args, { io: 'input' });
  return { name, description, inputSchema: inputSchema as JsonObject };
}

/** JSON Schema of what the tool's answers hold; null for a tool that declares none. */
export function toOutputSchema({ output }: Pick<Tool, 'output'>): JsonObject | null {
  if (output === undefined) return null;
  const { $schema: _, ...schema } = z.toJSONSchema(output, { io: 'output' });
  return schema as JsonObject;
}
