import * as z from 'zod';

/** A string of JSON in a reply, parsed. Any other string fails and may match another member of a union. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});
