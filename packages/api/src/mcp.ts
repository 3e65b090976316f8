import * as z from 'zod';

/** Arguments of the MCP tool that waits for a call. */
export const WaitForCall = z.object({
  command: z.string().describe('The command id of that answer'),
  seconds: z.number().min(1).max(600).optional().describe('Wait no longer than this'),
});

/** Capabilities of an agent's program that can show a form to its user. */
export const ShowsForms = z.object({ elicitation: z.object({}) });

/** Choices in the form of an approval, as the user reads them. */
export const FORM_ANSWERS = ['approve', 'deny', '5 more minutes'] as const;

/** The submitted form of a question. */
export const FormReply = z.object({ answer: z.string().max(2000) });

/** The submitted form. */
export const FormAnswer = z.object({
  answer: z.enum(FORM_ANSWERS),
  reason: z.string().max(2000).optional(),
});
