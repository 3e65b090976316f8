import type { ProviderId, SessionId } from '@signalbox/core';
import { type EditedText, editedText, editText, textOf } from '../../terminal/edit-text.ts';
import type { Key } from '../../terminal/keyboard.ts';
import { type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { typedRow } from '../../views/typed-row.ts';

/** A running session of the run. */
export type Recipient = Readonly<{ id: SessionId; provider: ProviderId }>;

/** What a person has typed. */
export type TypedMessage = Readonly<{ to: readonly Recipient[]; text: string; interrupts: boolean }>;

/** A line for what a person says to the sessions of a run; opened with `i`. */
export type MessagePrompt = Readonly<{
  isOpen(): boolean;
  /** The line and its keys; empty if it is closed. */
  rows(render: RenderContext): readonly Line[];
  /** True if the key was for it: every key while it is open, except Ctrl-C. */
  press(key: Key): boolean;
}>;

/** Begins a message that stops what a session does. */
const NOW = '!';

/** The text of a message, and whether it begins with `!`, which stops what the session does. */
export function messageOf(typed: string): Readonly<{ text: string; interrupts: boolean }> {
  const text = typed.trim();
  const interrupts = text.startsWith(NOW);
  return { text: interrupts ? text.slice(NOW.length).trim() : text, interrupts };
}

export function createMessagePrompt(options: {
  /** Those that can be told something now. */
  readonly recipients: () => readonly Recipient[];
  readonly send: (message: TypedMessage) => void;
  /** {@link MessagePrompt.rows} has changed. */
  readonly redraw: () => void;
}): MessagePrompt {
  const { recipients, send, redraw } = options;
  let typed: EditedText | null = null;
  /** Null: all of them. */
  let chosen: SessionId | null = null;

  /** One that has ended meanwhile is nobody: what is typed for it goes to no other. */
  function meant(): readonly Recipient[] {
    const all = recipients();
    return chosen === null ? all : all.filter(({ id }) => id === chosen);
  }

  function chooseNext(): void {
    const ids = recipients().map(({ id }) => id);
    chosen = [null, ...ids][ids.indexOf(chosen ?? ('' as SessionId)) + 2] ?? null;
  }

  function end(text: string): void {
    const message = { to: meant(), ...messageOf(text) };
    // Kept: Tab chooses another session.
    if (message.text !== '' && message.to.length === 0) return;
    typed = null;
    if (message.text !== '') send(message);
  }

  return {
    isOpen: () => typed !== null,
    rows(render) {
      if (typed === null) return [];
      const to = meant();
      const name = to.length === 0 ? 'nobody: it has ended' : to.length > 1 ? 'all' : (to[0]?.provider ?? '');
      const others = recipients().length > 1 ? 'Tab to whom   ' : '';
      return [
        typedRow(` to ${name}: `, typed, render),
        line(muted(` Enter send   ${others}${NOW} first: stop and do this instead   Esc close`)),
      ];
    },
    press(key) {
      if (typed === null) {
        if (key.kind !== 'text' || key.text !== 'i' || recipients().length === 0) return false;
        typed = editedText('');
        chosen = null;
        redraw();
        return true;
      }
      if (key.kind === 'named' && key.name === 'ctrl-c') return false;
      if (key.kind === 'named' && key.name === 'escape') typed = null;
      else if (key.kind === 'named' && key.name === 'enter') end(textOf(typed));
      else if (key.kind === 'named' && key.name === 'tab') chooseNext();
      else typed = editText(typed, key);
      redraw();
      return true;
    },
  };
}
