import { isVital } from './vital-line.ts';

/** Characters that a terminal obeys, besides tab and newline. */
// oxlint-disable-next-line no-control-regex -- that is what it looks for
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
/**
 * One of them, or a whole escape sequence: CSI with its parameters and its last letter, OSC and other strings, the
 * rest. Source: ECMA-48.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- that is what it looks for
  /(?:\u001B\[|\u009B)([0-?]{0,32})[ -/]{0,4}([@-~])|(?:\u001B[\]PX^_]|[\u009D\u0090])[^\u0007\u001B\u009C]{0,2048}(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]{0,4}[0-~]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** More rows than a screen has. */
const MAX_UP = 200;

/**
 * The lines that a terminal shows in the end: without control codes, and without what a progress bar has overwritten.
 * An overwritten line that looks like an error stays.
 */
export function screenLines(text: string): readonly string[] {
  const printed = text.split('\n');
  if (printed.at(-1) === '') printed.pop();
  if (!CONTROL.test(text)) return printed;
  const shown: string[] = [];
  for (const line of printed) drawLine(line.endsWith('\r') ? line.slice(0, -1) : line, shown);
  return shown;
}

/** Adds a printed line to the shown ones, of which it may overwrite some. */
function drawLine(line: string, shown: string[]): void {
  if (!CONTROL.test(line)) {
    shown.push(line);
    return;
  }
  let current = '';
  /** The longest text that backspaces have shortened. */
  let before = '';
  let isAtStart = false;
  let end = 0;

  function write(text: string): void {
    if (text === '') return;
    if (isAtStart) erase();
    isAtStart = false;
    current += text;
  }

  function erase(): void {
    keepBefore();
    if (isVital(current)) shown.push(current);
    current = '';
  }

  function keepBefore(): void {
    if (isVital(before) && !isVital(current)) shown.push(before);
    before = '';
  }

  for (const { 0: found, 1: parameters, 2: letter, index } of line.matchAll(CONTROLS)) {
    write(line.slice(end, index));
    end = index + found.length;
    if (found === '\r' || letter === 'G') isAtStart = true;
    else if (found === '\b') {
      if (current.length > before.length) before = current;
      current = current.slice(0, -1);
    } else if (letter === 'K' && (parameters === '2' || isAtStart)) erase();
    else if (letter === 'A' || letter === 'F') moveUp(Number.parseInt(parameters ?? '', 10) || 1);
  }
  write(line.slice(end));
  keepBefore();
  shown.push(current);

  function moveUp(rows: number): void {
    erase();
    for (let row = Math.min(rows, MAX_UP); row > 0 && shown.length > 0; row -= 1) {
      if (isVital(shown.at(-1) ?? '')) break;
      shown.pop();
    }
  }
}
