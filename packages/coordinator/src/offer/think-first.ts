import { type Json, type JsonObject, THOUGHT_PREFIX, type ToolOffer } from '@signalbox/core';

const THOUGHT_FIELD = {
  type: 'string',
  description:
    'Think here first, step by step: what the task needs, and which value each other parameter must have. Nothing reads or stores it.',
};

/** Adds a field for thoughts, before all others: models fill in fields in their order (S001-66). */
export function withThinkFirst(definition: ToolOffer): ToolOffer {
  const { properties, required, ...schema } = definition.inputSchema;
  if (!isObject(properties)) return definition;
  if (Object.keys(properties).some((name) => name.startsWith(THOUGHT_PREFIX))) return definition;
  return {
    ...definition,
    inputSchema: {
      ...schema,
      properties: { [THOUGHT_PREFIX]: THOUGHT_FIELD, ...properties },
      required: [THOUGHT_PREFIX, ...(Array.isArray(required) ? required : [])],
    },
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
