import { JsonObject, Mode, Phase, ProviderId, SessionId, ToolCategory } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

export const ToolView = z
  .object({
    name: z.string(),
    description: z.string(),
    inputSchema: JsonObject.describe('JSON Schema of its arguments'),
    outputSchema: JsonObject.nullish().describe(
      'JSON Schema of `output` in its results; null for a tool that declares none',
    ),
    title: z.string().describe('For people'),
    isBuiltIn: z.boolean().describe('False for a tool of another MCP server'),
    hints: z.object({
      readOnly: z.boolean(),
      destructive: z.boolean(),
      idempotent: z.boolean(),
      openWorld: z.boolean(),
    }),
  })
  .meta({ id: 'Tool' });
export type ToolView = z.infer<typeof ToolView>;

const ToolQuery = z.strictObject({
  provider: ProviderId.optional().describe('Only tools offered to this provider'),
  session: SessionId.optional().describe(
    'With `provider`: its earlier calls count, where tools require others first',
  ),
  mode: Mode.optional().describe('Only tools that may be offered in this mode'),
  phase: Phase.optional().describe('Only tools that may be offered to calls of this phase'),
  category: ToolCategory.optional(),
  unlike: z
    .string()
    .max(64)
    .optional()
    .describe('Stamp of the known list: answer when the list differs, or after `wait`'),
  wait: z.coerce.number().int().min(0).max(60_000).default(0).describe('In milliseconds'),
});
export type ToolQuery = z.infer<typeof ToolQuery>;

export const listTools = defineOperation('GET', '/api/tools', {
  schema: {
    querystring: ToolQuery,
    response: { 200: z.object({ tools: z.array(ToolView).readonly() }) },
  },
});
