import { JsonObject } from '@signalbox/core';
import * as z from 'zod';

const MAX_BYTES = 1024 * 1024;

/**
 * Builds the argument schema of a server's tool: an object with the required names and types.
 *
 * Only that much of the server's schema is used: a pattern from the server could block us forever. The server
 * checks the rest itself.
 */
export function argumentsOf(inputSchema: JsonObject): z.ZodType<JsonObject> {
  const properties = recordOf(inputSchema['properties']);
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'].map(String) : [];
  const isClosed =
    inputSchema['additionalProperties'] === false && inputSchema['patternProperties'] === undefined;
  return JsonObject.superRefine((args, context) => {
    const refuse = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message, input: args });
    if (Buffer.byteLength(JSON.stringify(args)) > MAX_BYTES) refuse([], `over ${MAX_BYTES} bytes`);
    for (const name of required) if (!Object.hasOwn(args, name)) refuse([name], 'is missing');
    for (const [name, value] of Object.entries(args)) {
      if (isClosed && !Object.hasOwn(properties, name)) refuse([name], 'is not an argument of this tool');
      const types = typesOf(Object.hasOwn(properties, name) ? properties[name] : undefined);
      if (types.length > 0 && !types.some((type) => isOfType(value, type)))
        refuse([name], `must be ${types.join(' or ')}`);
    }
  });
}

function typesOf(schema: unknown): readonly string[] {
  const { type } = recordOf(schema);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((name): name is string => typeof name === 'string');
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
