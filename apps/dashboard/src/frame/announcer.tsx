import { useEffect, useState } from 'react';
import { type PanelStore, panelStore } from '../workspace/panel-store.ts';
import type { Panel } from '../workspace/panel.ts';
import type { CommandSummary } from '@signalbox/api';
import { ASK_PERSON } from '@signalbox/core';
import { lineOf } from '../workspace/command-text.ts';
import { alertOf } from './alerts.ts';
import { badgeTab } from './tab-badge.ts';
import { visible } from '@signalbox/core/visible-text';

const QUIET_MS = 10_000;

/** Announces new approvals once: to screen readers, in the tab, and if enabled, by a sound or a notification. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => listenForQuestions(panelStore, setText), []);
  return (
    <div className="sr" aria-live="assertive">
      {text}
    </div>
  );
}

/** At most one announcement in 10 seconds; later ones are summed up in the next. */
function listenForQuestions(store: PanelStore, announce: (text: string) => void): () => void {
  let known: ReadonlySet<string> | null = null;
  let saidAt = 0;
  let seen: Panel['commands'] | null = null;

  function badge(): void {
    const { panel } = store.get();
    if (panel === null || panel.commands === seen) return;
    seen = panel.commands;
    const asking = askingOf(panel.commands);
    const name = `${visible(panel.workspace)} · Signalbox`;
    void badgeTab(asking.length, name);
    const fresh = asking.filter(({ id }) => known?.has(id) === false);
    if (fresh.length > 0 && Date.now() - saidAt < QUIET_MS) return;
    known = new Set(asking.map(({ id }) => id));
    const [first] = fresh;
    if (first === undefined) return;
    saidAt = Date.now();
    const words = fresh.length === 1 ? arrivalText(first) : `${fresh.length} new approvals`;
    announce(words);
    alertOf(words, fresh.length === 1 ? first.id : null);
  }

  badge();
  return store.subscribe(badge);
}

function askingOf(summaries: Panel['commands']): readonly CommandSummary[] {
  return [...summaries.values()].filter(({ state }) => state === 'awaiting_approval');
}

function arrivalText(summary: CommandSummary): string {
  if (summary.tool === ASK_PERSON) return `${summary.provider} asks you: ${lineOf(summary)}`;
  return `New approval: ${lineOf(summary)}, ${summary.level ?? 'not checked'}, from ${summary.provider}`;
}
