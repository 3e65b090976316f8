/** A call as a model wrote it in a block. */
export type WrittenCall = {
  readonly id: string | undefined;
  /** Empty when no name was found. */
  readonly name: string;
  readonly argsText: string;
};

/**
 * Parses the calls in the body of a block: an object, a list of objects, or one object per line. A body that
 * isn't JSON becomes one call with the body as its arguments, so that the model gets an error about it.
 */
export function parseBlock(body: string): WrittenCall[] {
  const value = parseJson(body) ?? parseLines(body);
  if (Array.isArray(value)) return value.map((item: unknown) => toCall(item));
  if (value !== undefined) return [toCall(value)];
  const name = /"(?:name|tool)"\s*:\s*"([^"\\]*)"/.exec(body)?.[1] ?? '';
  return [{ id: undefined, name, argsText: body }];
}

function toCall(value: unknown): WrittenCall {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { id: undefined, name: '', argsText: JSON.stringify(value) };
  }
  const fields = value as Record<string, unknown>;
  const name = fields['name'] ?? fields['tool'];
  const args = fields['arguments'] ?? fields['args'] ?? fields['input'] ?? fields['parameters'] ?? {};
  const id = fields['id'];
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    name: typeof name === 'string' ? name : '',
    argsText: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

function parseLines(body: string): unknown[] | undefined {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values = lines.map((line) => parseJson(line));
  return values.includes(undefined) ? undefined : values;
}

/** Returns undefined for text that isn't JSON; no JSON text parses to undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
