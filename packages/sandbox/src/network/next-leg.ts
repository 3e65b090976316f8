/** Headers that belong to one leg of the way (RFC 9110, 7.6.1), and those that we write ourselves. */
const OF_ONE_LEG: ReadonlySet<string> = new Set(
  'connection proxy-connection keep-alive proxy-authenticate proxy-authorization te trailer upgrade host'.split(
    ' ',
  ),
);

/** What a proxy passes on of a message's headers; names and values take turns, as in Node.js's `rawHeaders`. */
export function headersForNextLeg(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.toLowerCase().split(',') : [],
  );
  const dropped = new Set([...OF_ONE_LEG, ...named.map((name) => name.trim())]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}
