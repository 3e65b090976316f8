/** Established plates of well-known providers; all others are derived from the name. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'AN'],
  ['claude-code', 'CC'],
  ['codex', 'CX'],
  ['deepseek', 'DS'],
  ['gemini', 'GM'],
  ['ollama', 'OL'],
  ['openai', 'OA'],
  ['opencode', 'OC'],
]);

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('');

/**
 * Two characters for each provider, all different: `openai` OA, `claude-code` CC, `bot7` B7, `bot31` 31.
 *
 * A name keeps its plate when others join after it. After 1,296 providers plates repeat.
 */
export function platesOf(providers: readonly string[]): ReadonlyMap<string, string> {
  const plates = new Map<string, string>();
  const taken = new Set<string>();
  for (const provider of providers) {
    const plate = firstFree(provider, taken);
    taken.add(plate);
    plates.set(provider, plate);
  }
  return plates;
}

function firstFree(provider: string, taken: ReadonlySet<string>): string {
  for (const plate of candidates(provider)) if (!taken.has(plate)) return plate;
  return first(provider) + '?';
}

/** Best first. */
function* candidates(provider: string): Generator<string> {
  const known = KNOWN.get(provider);
  if (known !== undefined) yield known;
  const signs = signsOf(provider);
  const number = signs.slice(signs.findLastIndex((sign) => !isDigit(sign)) + 1);
  const initial = first(provider);
  if (number.length === 1) yield initial + number.join('');
  if (number.length > 1) yield number.slice(-2).join('');
  const [, second] = provider.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  if (second !== undefined) yield initial + second.slice(0, 1).toUpperCase();
  for (const sign of signs.slice(1)) yield initial + sign;
  for (const sign of SIGNS) yield initial + sign;
  for (const one of SIGNS) for (const other of SIGNS) yield one + other;
}

function first(provider: string): string {
  return signsOf(provider)[0] ?? '?';
}

/** Provider names are at most 64 characters long. */
function signsOf(provider: string): readonly string[] {
  return provider
    .toUpperCase()
    .split('')
    .filter((sign) => SIGNS.includes(sign));
}

function isDigit(sign: string): boolean {
  return sign >= '0' && sign <= '9';
}
