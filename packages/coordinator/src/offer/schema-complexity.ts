import type { Json, JsonObject } from '@signalbox/core';

/** What makes a schema hard to fill in. Each part counts up to its bound. */
const PARTS = {
  fields: { weight: 0.3, bound: 10 },
  optional: { weight: 0.2, bound: 6 },
  /** Levels below the top. */
  depth: { weight: 0.25, bound: 2 },
  /** Enumerations and alternatives. */
  choices: { weight: 0.25, bound: 3 },
} as const;

/** A schema of another server may be of any size. */
const MAX_NODES = 2000;
const MAX_DEPTH = 32;

/** The parts of a schema that are counted. */
export type SchemaComplexity = {
  /** 0 to 1, two digits. */
  readonly score: number;
  readonly fields: number;
  readonly optional: number;
  readonly depth: number;
  readonly choices: number;
};

/** How complex the arguments of a tool are (S001-67); `docs/tools.md` has the formula. */
export function schemaComplexity(schema: JsonObject): SchemaComplexity {
  const counts = { fields: 0, optional: 0, depth: 0, choices: 0 };
  const waiting: { readonly node: Json; readonly depth: number }[] = [{ node: schema, depth: 0 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined && seen < MAX_NODES; next = waiting.pop()) {
    const { node, depth } = next;
    if (!isObject(node) || depth > MAX_DEPTH) continue;
    seen += 1;
    const required = new Set(Array.isArray(node['required']) ? node['required'] : []);
    for (const [name, property] of Object.entries(isObject(node['properties']) ? node['properties'] : {})) {
      counts.fields += 1;
      counts.depth = Math.max(counts.depth, depth);
      if (!required.has(name)) counts.optional += 1;
      waiting.push({ node: property, depth: depth + 1 });
    }
    // A list of objects is one level, like an object.
    if (node['items'] !== undefined) waiting.push({ node: node['items'], depth });
    if (isObject(node['additionalProperties'])) waiting.push({ node: node['additionalProperties'], depth });
    const alternatives = [node['anyOf'], node['oneOf']].flatMap((all) => (Array.isArray(all) ? [all] : []));
    const enumerated = Array.isArray(node['enum']) && node['enum'].length > 1;
    counts.choices += alternatives.filter((all) => all.length > 1).length + (enumerated ? 1 : 0);
    for (const alternative of alternatives.flat()) waiting.push({ node: alternative, depth });
  }
  const score = Object.entries(PARTS).reduce(
    (sum, [part, { weight, bound }]) =>
      sum + weight * Math.min(1, counts[part as keyof typeof PARTS] / bound),
    0,
  );
  return { score: Math.round(score * 100) / 100, ...counts };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
