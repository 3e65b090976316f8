import { graphemes } from './cells.ts';
import type { Key } from './keyboard.ts';

/** A line being typed. The cursor is before the character with that index. */
export type EditedText = Readonly<{ characters: readonly string[]; cursor: number }>;

export function editedText(text: string): EditedText {
  const characters = [...graphemes(text)];
  return { characters, cursor: characters.length };
}

export function textOf({ characters }: EditedText): string {
  return characters.join('');
}

/** The text after one more key; keys that edit nothing leave it unchanged. */
export function editText(edited: EditedText, key: Key): EditedText {
  const { characters, cursor } = edited;
  if (key.kind === 'text') {
    const added = editedText(key.text).characters;
    return { characters: characters.toSpliced(cursor, 0, ...added), cursor: cursor + added.length };
  }
  switch (key.name) {
    case 'backspace':
      return cursor === 0 ? edited : { characters: characters.toSpliced(cursor - 1, 1), cursor: cursor - 1 };
    case 'delete':
      return { characters: characters.toSpliced(cursor, 1), cursor };
    case 'left':
      return { characters, cursor: Math.max(0, cursor - 1) };
    case 'right':
      return { characters, cursor: Math.min(characters.length, cursor + 1) };
    case 'home':
      return { characters, cursor: 0 };
    case 'end':
      return { characters, cursor: characters.length };
    case 'ctrl-u':
      return { characters: characters.slice(cursor), cursor: 0 };
    case 'ctrl-w':
      return withoutWordBefore(edited);
    case 'enter':
    case 'escape':
    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'tab':
    case 'ctrl-c':
    case 'alt':
      return edited;
  }
}

function withoutWordBefore({ characters, cursor }: EditedText): EditedText {
  let start = cursor;
  while (start > 0 && characters[start - 1] === ' ') start -= 1;
  while (start > 0 && characters[start - 1] !== ' ') start -= 1;
  return { characters: characters.toSpliced(start, cursor - start), cursor: start };
}
