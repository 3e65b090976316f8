/** Hop-by-hop headers (RFC 9110, 7.6.1), and those we write ourselves. */
const OF_ONE_LEG: ReadonlySet<string> = new Set(
  'connection proxy-connection keep-alive proxy-authenticate proxy-authorization te trailer upgrade host'.split(
    ' ',
  ),
);

/** The headers a proxy forwards; names and values alternate, as in Node.js's `rawHeaders`. */
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
