import { parse } from 'yaml';
import { z } from 'zod';
import { idsOf } from './ids.ts';

const Text = z.string().min(1);
const Row = z.discriminatedUnion('state', [
  z.strictObject({ id: Text, demand: Text, state: z.literal('done'), note: Text.optional() }),
  /** `note`: what is missing. */
  z.strictObject({ id: Text, demand: Text, state: z.enum(['partly', 'open']), note: Text }),
  z.strictObject({
    id: Text,
    demand: Text,
    state: z.literal('deviates'),
    reason: Text,
    /** How a user gets what the specification says. */
    letter: Text,
    note: Text.optional(),
  }),
  /** Says what a specification is about, plans or cites: nothing to build. */
  z.strictObject({ id: Text, demand: Text, state: z.literal('context'), note: Text.optional() }),
]);
export type Row = z.infer<typeof Row>;

/** `S000-06, S000-09…S000-19` as its ids. */
const Ids = z.string().transform((text, context) =>
  text.split(',').flatMap((item) => {
    const ids = idsOf(item.trim());
    if (ids === null) context.addIssue({ code: 'custom', message: `"${item.trim()}" is no id` });
    return ids ?? [];
  }),
);

const Requirements = z.strictObject({
  /** Every demand that there is, in the order of the rows: no row can be lost. */
  demands: Ids,
  sections: z.array(z.strictObject({ title: Text, rows: z.array(Row) })),
  /** The capabilities that the demands were brought together to. */
  capabilities: z.array(z.strictObject({ id: Text, title: Text, rows: Ids })),
});
export type Requirements = z.infer<typeof Requirements>;

/** @throws with the position when the text has another shape. */
export function parseRequirements(yaml: string): Requirements {
  const parsed = Requirements.safeParse(parse(yaml));
  if (!parsed.success) throw new Error(`Cannot read the requirements: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

export function rowsOf({ sections }: Requirements): readonly Row[] {
  return sections.flatMap(({ rows }) => rows);
}
