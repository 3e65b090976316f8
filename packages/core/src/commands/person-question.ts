import * as z from 'zod';
import { visible } from '../text/visible-text.ts';
import { ASK_PERSON } from '../tools/session-tools.ts';
import type { Call } from './call.ts';

/** Longest question, in UTF-16 units. */
const MAX_QUESTION = 1000;
const MAX_CHOICE = 200;
const MAX_CHOICES = 6;
/** Longest answer of a person, in UTF-8 bytes. */
export const MAX_ANSWER_BYTES = 4096;

/**
 * A model's question to a person. It is the model's text: one paragraph, with control and invisible characters spelled
 * out, so that it can't draw on a screen.
 */
export const PersonQuestion = z
  .strictObject({
    text: z.string(),
    /** Empty: the answer is text. */
    choices: z.array(z.string()).readonly(),
    /** Whether another answer than a choice is accepted. */
    allowText: z.boolean(),
  })
  .readonly();
export type PersonQuestion = z.infer<typeof PersonQuestion>;

/** Arguments of `ask_person`. */
export const AskPersonArgs = z.strictObject({
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION)
    .refine((text) => text.trim() !== '', { error: 'A question is not empty' })
    .describe('One question, in plain text, with what the person needs to know to answer it'),
  choices: z
    .array(z.string().min(1).max(MAX_CHOICE))
    .min(2)
    .max(MAX_CHOICES)
    .refine((choices) => new Set(choices.map(plainLine)).size === choices.length, {
      error: 'Two choices are the same',
    })
    .refine((choices) => choices.every((choice) => plainLine(choice) !== ''), {
      error: 'A choice is not empty',
    })
    .optional()
    .describe('The possible answers, best first; the person picks one'),
  allow_text: z
    .boolean()
    .default(true)
    .describe('Whether the person may write another answer; without choices they always may'),
});
export type AskPersonArgs = z.infer<typeof AskPersonArgs>;

/** The question of an `ask_person` call; null for any other call. */
function personQuestionOf({ tool, args }: Pick<Call, 'tool' | 'args'>): PersonQuestion | null {
  if (tool !== ASK_PERSON) return null;
  const parsed = AskPersonArgs.safeParse(args);
  if (!parsed.success) return null;
  const { question, choices = [], allow_text } = parsed.data;
  return {
    text: plainLine(question),
    choices: choices.map(plainLine),
    allowText: choices.length === 0 || allow_text,
  };
}

/** The same without secrets, for everything that people see. */
export function redactedQuestion(
  call: Pick<Call, 'tool' | 'args'>,
  redact: (text: string) => string,
): PersonQuestion | null {
  const question = personQuestionOf(call);
  if (question === null) return null;
  return { ...question, text: redact(question.text), choices: question.choices.map(redact) };
}

/** Why a text does not answer the question, for the person; null: it does. */
export function answerProblem({ choices, allowText }: PersonQuestion, text: string): string | null {
  if (text.trim() === '') return 'an answer is not empty';
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_ANSWER_BYTES) return `the answer has ${bytes} bytes, the limit is ${MAX_ANSWER_BYTES}`;
  if (allowText || choices.includes(text)) return null;
  return `the answer is one of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
}

function plainLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').trim());
}
