/** The last sentence of a model's text, for one line: at most 160 characters. */
export function lastSentence(text: string): string {
  // Models write pages: only the end of the last one is read.
  const end = text.trimEnd().slice(-MAX_READ);
  const lines = end.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
  const last = (lines.at(-1) ?? '').replace(/^[\s>#*-]+/, '');
  const [sentence = ''] = [...SENTENCES.segment(last)].slice(-1).map(({ segment }) => segment.trim());
  return sentence.length <= MAX_SHOWN ? sentence : `${sentence.slice(0, MAX_SHOWN - 1)}…`;
}

const MAX_READ = 2000;
const MAX_SHOWN = 160;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
