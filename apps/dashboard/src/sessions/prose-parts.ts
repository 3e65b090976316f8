/** A part of a model's text: prose, or the text between two fences. */
export type ProsePart = Readonly<{ kind: 'prose' | 'code'; text: string }>;

/** Matches the whole run, so that no shorter one is tried. */
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^`]*$/;

/** Models write Markdown: fences are split off, and nothing else is interpreted. */
export function proseParts(text: string): readonly ProsePart[] {
  const parts: ProsePart[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = (kind: ProsePart['kind']): void => {
    const of = kind === 'prose' ? lines.join('\n').trim() : lines.join('\n');
    if (of !== '') parts.push({ kind, text: of });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      close('prose');
      fence = mark;
    } else if (fence !== null && mark !== undefined && line.trim() === mark && mark.startsWith(fence)) {
      close('code');
      fence = null;
    } else lines.push(line);
  }
  close(fence === null ? 'prose' : 'code');
  return parts;
}
