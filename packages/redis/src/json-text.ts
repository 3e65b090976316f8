import * as z from 'zod';

/** A reply's string that holds JSON, parsed; any other string does not fit, and may fit another member of a union. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});
