/** `S003-72` of a specification, `X-06` a decision, `U-01` a word of the design card, `L-01` what was lost. */
const ID = /^(?<series>S\d{3}|[XUL])-(?<number>\d+)$/;
/** `S000-09…S000-13`, `S000-49…52`, `S003-25 to S003-28`. */
const BETWEEN = /…|–| to /;
/** The ids that the brackets of a title name: `two writers: one waits (S003-72, X-15)`. */
export function marksOf(title: string): readonly string[] {
  return [...title.matchAll(/\(([^()]*)\)/g)]
    .flatMap(([, inside = '']) => inside.split(','))
    .flatMap((item) => idsOf(item.trim()) ?? []);
}

/** The ids of one id or one range; null if the text is neither. */
export function idsOf(text: string): readonly string[] | null {
  if (ID.test(text)) return [text];
  const [first = '', last = '', ...others] = text.split(BETWEEN);
  const from = ID.exec(first)?.groups;
  if (from === undefined || others.length > 0) return null;
  const { series = '', number = '' } = from;
  const to = ID.exec(/^\d+$/.test(last) ? `${series}-${last}` : last)?.groups;
  if (to?.['series'] !== series) return null;
  const count = Number(to['number']) - Number(number) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    return `${series}-${String(Number(number) + i).padStart(number.length, '0')}`;
  });
}
