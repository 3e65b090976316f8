import { expect, test } from 'vitest';
import * as z from 'zod';
import { toToolOffer } from './tool-offer.ts';
import { defineTool } from './tool.ts';

test('toToolOffer() requires only what has no default (X-23, S000-09, S000-11…13, S000-15, S000-16, S000-18, S002-12, S002-37)', () => {
  const tool = defineTool({
    name: 'list_directory',
    description: 'Lists a directory.',
    requestKind: 'other',
    category: 'read_only',
    risk: 'low',
    args: z.strictObject({ path: z.string().describe('Relative.'), depth: z.int().min(1).max(5).default(1) }),
    describe: ({ path }) => path,
    effects: () => [],
    handle: async () => ({ output: null }),
  });
  expect(toToolOffer(tool)).toEqual({
    name: 'list_directory',
    description: 'Lists a directory.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative.' },
        depth: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
      },
      required: ['path'],
      additionalProperties: false,
    },
  });
});

test('toToolOffer() describes parameters of every type (S000-10)', () => {
  const args = z.strictObject({
    text: z.string(),
    ratio: z.number(),
    deep: z.boolean(),
    where: z.strictObject({ path: z.string() }),
    names: z.array(z.string()),
  });
  expect(toToolOffer({ name: 'a', description: 'A.', args }).inputSchema).toMatchObject({
    properties: {
      text: { type: 'string' },
      ratio: { type: 'number' },
      deep: { type: 'boolean' },
      where: { type: 'object' },
      names: { type: 'array' },
    },
  });
});

test('toToolOffer() passes on the schema of a tool that is defined elsewhere', () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string', pattern: '^a' } } };
  expect(toToolOffer({ name: 'a', description: 'A.', args: z.unknown(), inputSchema })).toEqual({
    name: 'a',
    description: 'A.',
    inputSchema,
  });
});
