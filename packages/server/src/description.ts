import * as z from 'zod';
import { PROBLEM } from './open-app.ts';

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;
/** How zod names the recursive schema of any JSON value. */
const REFERENCE_TO_JSON = /\{"\$ref":"#\/components\/schemas\/(?:__shared#\/\$defs\/)?schema\d+"\}/g;

const Content = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const Response = z.looseObject({ description: z.string().optional(), content: Content.optional() });
const Body = z.looseObject({ required: z.boolean().optional(), content: Content.optional() });
type Response = z.infer<typeof Response>;
type Body = z.infer<typeof Body>;
const Description = z.looseObject({
  paths: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.looseObject({
          requestBody: Body.optional(),
          responses: z.record(z.string(), Response).optional(),
        }),
      ),
    )
    .optional(),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).optional() }).optional(),
});
const MayBeNull = z.object({
  schema: z.object({ anyOf: z.array(z.looseObject({ type: z.string().optional() })) }),
});

/**
 * An OpenAPI description for readers: any JSON is `{}`, nothing is `readOnly`, every error response is a problem, and
 * schemas without a reference are removed.
 */
export function tidyDescription(description: object): object {
  const { components, ...rest } = Description.parse(
    JSON.parse(
      JSON.stringify(description).replaceAll(REFERENCE_TO_JSON, '{"description":"Any JSON value"}'),
      withoutReadOnly,
    ),
  );
  for (const methods of Object.values(rest.paths ?? {}))
    for (const { requestBody, responses = {} } of Object.values(methods)) {
      describeResponses(responses);
      if (requestBody !== undefined && mayBeNull(requestBody)) requestBody.required = false;
    }
  const all = new Map(Object.entries(components?.schemas ?? {}));
  const used = new Set<string>();
  let found = namesIn(rest);
  while (found.length > 0) {
    for (const name of found) used.add(name);
    found = found.flatMap((name) => namesIn(all.get(name))).filter((name) => !used.has(name));
  }
  const schemas = Object.fromEntries([...all].filter(([name]) => used.has(name)));
  return { ...rest, components: { ...components, schemas } };
}

/** Our own code treats arguments as readonly; generators would leave `readOnly` fields out of requests. */
function withoutReadOnly(key: string, value: unknown): unknown {
  return key === 'readOnly' && value === true ? undefined : value;
}

const ANSWERS: Readonly<Record<string, string>> = {
  '200': 'Done',
  '202': 'Accepted; not finished yet',
  default: 'What could not be done, why, and what to do next',
};

/** The framework gives every response the same description, and error responses the media types of the route. */
function describeResponses(responses: Record<string, Response>): void {
  for (const [status, response] of Object.entries(responses))
    response.description = ANSWERS[status] ?? response.description ?? '';
  const refusal = responses['default'];
  const [problem] = Object.values(refusal?.content ?? {});
  if (refusal !== undefined && problem !== undefined) refusal.content = { [PROBLEM]: problem };
}

/** A nullable body may also be left out. */
function mayBeNull({ content = {} }: Body): boolean {
  return Object.values(content).some((one) =>
    MayBeNull.safeParse(one).data?.schema.anyOf.some(({ type }) => type === 'null'),
  );
}

function namesIn(part: unknown): readonly string[] {
  return [...(JSON.stringify(part) ?? '').matchAll(REFERENCE)].flatMap(([, name]) => name ?? []);
}
