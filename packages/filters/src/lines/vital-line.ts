import { createWordScan } from './word-scan.ts';

/**
 * Notes on security that no filter may leave out, in the six categories of specification 001: unsafe code, access,
 * cryptography, injection, advisories, secrets.
 */
export const SECURITY_NOTES: Readonly<Record<string, readonly RegExp[]>> = {
  unsafe_code: [/\bunsafe\b/i, /\braw pointer\b/i, /\bpanicked at\b/, /\bmust be used\b/],
  access: [/\bauthenticat\w* fail/i, /\bunauthori[sz]ed\b/i, /permission denied/i, /\b40[13]\b/],
  cryptography: [/\bweak (?:cipher|key|hash)/i, /\bdeprecated algorithm/i, /\binsecure\b/i],
  injection: [/\binjection\b/i, /\bpath traversal\b/i],
  advisories: [/\b(?:RUSTSEC|GHSA|CVE|PYSEC)-/, /\badvisor(?:y|ies)\b/i, /\bvulnerab/i],
  secrets: [/\[redacted:/],
};

/** Beginnings of the words of these notes, at least one of which is in every line that has one. */
const NOTE_WORDS =
  'unsafe|raw |panicked|must |authenticat|unauthori|permission|401|403|weak |deprecated|insecure|injection|path |rustsec|ghsa|cve-|pysec|advisor|vulnerab|[redacted';
/** Words of errors and warnings, in any spelling and inside of other words: `TypeError`. */
const TROUBLE_WORDS =
  "error|fail|fatal|warn|exception|panic|traceback|assert|denied|refused|forbidden|cannot|can't|couldn't|could not|unable|not found|no such|missing|undefined|unexpected|expected|received|unresolved|invalid|illegal|abort|crash|killed|segmentation|core dumped|timed out|timeout|conflict|rejected|corrupt|leak|deprecated|security";
export const TROUBLE = new RegExp(String.raw`${TROUBLE_WORDS}|\bERR!|\bnot ok\b|\bunsupported\b`, 'i');
/** Marks in front of a failure. */
const MARKED = /^\s*(?:[✗✘✕×❌✖⨯●]|E {2,}|[-+] |>\s|FAIL\b|\d{1,4}\) )/;
/** `src/a.ts:12`, `a.ts(3,5)`, `line 12`. */
const PLACE = /\.[A-Za-z]\w{0,7}(?::\d|\(\d)|\bline \d/;
const NOTES = new RegExp(
  Object.values(SECURITY_NOTES)
    .flat()
    .map(({ source }) => source)
    .join('|'),
  'i',
);
const mayHaveWords = createWordScan(
  // Of "assert" its end: its beginning is in "passed", too.
  `${TROUBLE_WORDS.replace('assert', 'ert')}|err!|not ok|unsupported|${NOTE_WORDS}`.split('|'),
);

/**
 * Whether a line looks like an error, a warning, a note on security, the name of a failing test or a place in a file: a
 * filter never leaves it out.
 */
export function isVital(line: string): boolean {
  if (MARKED.test(line) || PLACE.test(line)) return true;
  return mayHaveWords(line) && (TROUBLE.test(line) || NOTES.test(line));
}
