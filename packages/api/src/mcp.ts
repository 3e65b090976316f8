import * as z from 'zod';

/** Arguments of the MCP tool that waits for a call. */
export const WaitForCall = z.object({
  command: z.string().describe('The command id of that answer'),
  seconds: z.number().min(1).max(600).optional().describe('Wait no longer than this'),
});

/** What an agent's program declares that can show a form to its person. */
export const ShowsForms = z.object({ elicitation: z.object({}) });

/** Choices of the form of an approval, as its person reads them. */
export const FORM_ANSWERS = ['approve', 'deny', '5 more minutes'] as const;

/** What the person filled into it. */
export const FormAnswer = z.object({
  answer: z.enum(FORM_ANSWERS),
  reason: z.string().max(2000).optional(),
});
