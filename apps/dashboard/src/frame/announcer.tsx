import { useEffect, useState } from 'react';
import { type PanelStore, panelStore } from '../house/panel-store.ts';
import type { Panel } from '../house/panel.ts';
import { lineOf, type Train } from '../house/train.ts';

const QUIET_MS = 10_000;
export const NOTIFY = 'signalbox.notify';

/** Says once that somebody asks: to screen readers, in the title, and where it was switched on, as a notification. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => listenForQuestions(panelStore, setText), []);
  return (
    <div className="sr" aria-live="assertive">
      {text}
    </div>
  );
}

/** At most one announcement in 10 seconds; what came in between is summed up in the next. */
function listenForQuestions(store: PanelStore, announce: (text: string) => void): () => void {
  let known: ReadonlySet<string> | null = null;
  let saidAt = 0;
  let seen: Panel['trains'] | null = null;

  function look(): void {
    const { panel } = store.get();
    if (panel === null || panel.trains === seen) return;
    seen = panel.trains;
    const asking = askingOf(panel.trains);
    const name = `${panel.workspace} · Signalbox`;
    document.title = asking.length === 0 ? name : `(${asking.length}) ${name}`;
    const fresh = asking.filter(({ id }) => known?.has(id) === false);
    if (fresh.length > 0 && Date.now() - saidAt < QUIET_MS) return;
    known = new Set(asking.map(({ id }) => id));
    const [first] = fresh;
    if (first === undefined) return;
    saidAt = Date.now();
    const words = fresh.length === 1 ? arrivalText(first) : `${fresh.length} new approvals`;
    announce(words);
    notify(words);
  }

  look();
  return store.subscribe(look);
}

function askingOf(trains: Panel['trains']): readonly Train[] {
  return [...trains.values()].filter(({ state }) => state === 'awaiting_approval');
}

function arrivalText(train: Train): string {
  return `New approval: ${lineOf(train)}, ${train.level ?? 'not judged'}, from ${train.provider}`;
}

function notify(text: string): void {
  if (!document.hidden || localStorage.getItem(NOTIFY) !== 'on') return;
  if (Notification.permission !== 'granted') return;
  const shown = new Notification('Signalbox', { body: text, tag: 'signalbox' });
  shown.addEventListener('click', () => window.focus());
}
