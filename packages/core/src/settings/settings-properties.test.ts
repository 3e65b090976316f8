import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { getIn, isRecord } from './keys/settings-path.ts';
import { mergeLayers } from './layers/merge-layers.ts';
import { union } from './layers/strictest.ts';
import { TIGHTENING } from './layers/tightening.ts';
import { parseSettings } from './parse-settings.ts';
import { settingsJsonSchema } from './settings-json-schema.ts';

/** Time for each property: whatever it has tried by then counts. */
const BOX = { interruptAfterTimeLimit: 4000, markInterruptAsFailure: false, numRuns: 500 };

const WORDS = [
  'a',
  'src',
  '.',
  '**',
  '../x',
  '5m',
  '1h',
  'bash',
  'git.*',
  'write_file',
  'openai',
  'example.com',
];
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 8 }));
const anything = fc.jsonValue({ maxDepth: 2 });

type Schema = Readonly<Record<string, unknown>>;

/** `wild`: one in so many values is any value instead; 0: none. */
type Position = Readonly<{ wild: number; depth: number }>;
const below = ({ wild, depth }: Position): Position => ({ wild, depth: depth + 1 });

/** Values of a JSON Schema. */
function valueOf(schema: Schema, at: Position): fc.Arbitrary<unknown> {
  const valid = validOf(schema, at);
  return at.wild === 0
    ? valid
    : fc.oneof({ weight: at.wild, arbitrary: valid }, { weight: 1, arbitrary: anything });
}

function validOf(schema: Schema, at: Position): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, enum: values, type, items } = schema;
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valueOf(one, at)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number': {
      const min = Number(schema['minimum'] ?? 0);
      const max = Math.min(Number(schema['maximum'] ?? 1000), min + 1000);
      return type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
    }
    case 'array':
      return fc.array(valueOf((items ?? {}) as Schema, below(at)), { maxLength: 3 });
    case 'object':
      return objectOf(schema, at);
    case 'string':
      return text;
    default:
      return anything;
  }
}

/** A few of its keys, and where any name is one, some names. */
function objectOf(schema: Schema, at: Position): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const more = schema['additionalProperties'];
  const named = isRecord(more)
    ? ['bash', 'write_file', 'openai', 'extra'].map((name) => [name, more] as const)
    : [];
  const odd = at.wild === 0 ? [] : ['__proto__', 'constructor', 'unknown'].map((name) => [name, {}] as const);
  const keys = [...properties, ...named, ...odd];
  if (keys.length === 0) return fc.constant({});
  return fc
    .subarray(keys, { minLength: 0, maxLength: Math.min(keys.length, at.depth === 0 ? 4 : 3) })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(([, one]) => valueOf(one, below(at))))
        .map((made) => Object.fromEntries(chosen.map(([key], index) => [key, made[index]]))),
    );
}

const SCHEMA = settingsJsonSchema();
const anyFile = valueOf(SCHEMA, { wild: 12, depth: 0 });
const validFile = valueOf(SCHEMA, { wild: 0, depth: 0 }).filter(
  (value) => parseSettings(value).kind === 'ok',
);

test('any file is accepted, or refused with a place and a reason', () => {
  fc.assert(
    fc.property(anyFile, (value) => {
      const parsed = parseSettings(value);
      if (parsed.kind === 'ok') return;
      expect(parsed.problems.length).toBeGreaterThan(0);
      for (const { path, message } of parsed.problems) {
        expect(Array.isArray(path)).toBe(true);
        expect(message.length).toBeGreaterThan(0);
      }
    }),
    BOX,
  );
});

/** Lists of paths and tools are sets: their order means nothing. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value;
}

test('whatever a shared file says, no safety setting is looser than with the own file alone', () => {
  fc.assert(
    fc.property(validFile, validFile, (own, shared) => {
      const layers = [
        { kind: 'local', source: 'own', value: own },
        { kind: 'workspace', source: 'shared', value: shared },
      ] as const;
      const [alone, both] = [mergeLayers(layers.slice(0, 1)), mergeLayers(layers)];
      if (alone.kind !== 'ok' || both.kind !== 'ok') return;
      for (const { path, strictest } of TIGHTENING) {
        if (path.includes('*')) continue;
        const [before, after] = [alone, both].map(({ settings }) => getIn(settings, path));
        // No list is written as null, and adds nothing.
        if (strictest === union && before === null) continue;
        // What was there before has nothing to make stricter.
        expect([path, sorted(strictest(after, before).value)]).toEqual([path, sorted(after)]);
      }
      // A second look at the same file changes nothing.
      expect(mergeLayers([...layers, layers[1]])).toMatchObject({ settings: both.settings });
    }),
    BOX,
  );
});
