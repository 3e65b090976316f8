import { useMemo, useState } from 'react';
import { usePanel } from '../workspace/panel-store.ts';
import type { CommandSummary } from '@signalbox/api';
import { phaseOf, lineOf } from '../workspace/command-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { badgeOf } from '../parts/status-badge.ts';
import { Code } from '../parts/with-code.tsx';
import { copyFinds, fileFinds, undoFinds } from './command-finds.ts';
import { type QuickAction, OpenQuickAction } from './quick-actions.tsx';
import type { Find } from './find.ts';
import { MODES } from './mode-switch.tsx';
import { PAGE_LIST } from './page-list.ts';
import { goTo } from './route.ts';
import { switchTheme } from './theme.ts';
import styles from './find-or-run.module.css';

const MAX_FINDS = 12;

/** Finds pages, actions and commands by name. */
export function FindOrRun({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  const [action, setAction] = useState<QuickAction | null>(null);
  return (
    <>
      <Dialog title="Find or run" isOpen={isOpen} onClose={onClose}>
        <Finder onClose={onClose} onAction={setAction} />
      </Dialog>
      {action !== null && <OpenQuickAction action={action} onClose={() => setAction(null)} />}
    </>
  );
}

function Finder({
  onClose,
  onAction,
}: Readonly<{ onClose: () => void; onAction: (action: QuickAction) => void }>) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = useFinds(onAction);
  const found = all
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MAX_FINDS);
  const chosen = Math.min(at, found.length - 1);

  function choose(find: Find | undefined): void {
    if (find === undefined) return;
    onClose();
    find.run();
  }

  return (
    <div className={styles['finder']}>
      <input
        className="input"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="finds"
        aria-activedescendant={found[chosen] === undefined ? undefined : `find-${chosen}`}
        aria-label="Find or run"
        placeholder="A page, a command, a file, or: new, undo, copy"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(found[chosen]);
          else if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
          else return;
          event.preventDefault();
        }}
      />
      <ul id="finds" role="listbox" aria-label="Found">
        {found.map((find, index) => (
          <li
            key={find.id}
            id={`find-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(find)}
          >
            <b>{find.isLine ? <Code text={find.name} /> : find.name}</b>
            <span>{find.about}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="dim">Nothing matches</p>}
    </div>
  );
}

function useFinds(onAction: (action: QuickAction) => void): readonly Find[] {
  const summaries = usePanel(({ panel }) => panel?.commands ?? null);
  const role = usePanel(({ panel }) => panel?.you.role ?? 'viewer');
  return useMemo(() => {
    const newest = [...(summaries?.values() ?? [])].toReversed();
    return [
      ...PAGE_LIST.map(({ page, name }) => ({ id: page, name, about: 'page', run: () => goTo(page) })),
      ...(role === 'operator' ? actionFinds(newest.toReversed(), onAction) : []),
      { id: 'theme', name: 'Switch theme', about: 'light or dark', run: switchTheme },
      ...newest.map((summary) => ({
        id: summary.id,
        name: lineOf(summary),
        isLine: true,
        about: `${summary.provider} · ${badgeOf(summary).word.toLowerCase()}`,
        run: () => goTo(phaseOf(summary) === 'person' ? 'approvals' : 'history', summary.id),
      })),
      ...(role === 'operator' ? undoFinds(newest, onAction) : []),
      ...fileFinds(newest),
      ...copyFinds(newest),
    ];
  }, [summaries, role, onAction]);
}

/** What an operator can do from anywhere. */
function actionFinds(
  summaries: readonly CommandSummary[],
  onAction: (action: QuickAction) => void,
): readonly Find[] {
  const pending = summaries.filter((summary) => phaseOf(summary) === 'person');
  const [next] = pending.toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
  return [
    {
      id: 'new',
      name: 'New session…',
      about: 'task and providers',
      run: () => onAction({ kind: 'new-session' }),
    },
    ...(next === undefined
      ? []
      : [
          {
            id: 'next',
            name: 'Review next approval',
            about: `${pending.length} pending`,
            run: () => goTo('approvals', next.id),
          },
        ]),
    { id: 'try', name: 'Try a shell line', about: 'runs nothing', run: () => goTo('policy') },
    ...MODES.map((mode) => ({
      id: `mode-${mode}`,
      name: `Set mode ${mode}…`,
      about: 'mode',
      run: () => onAction({ kind: 'mode', mode }),
    })),
    ...summaries
      .filter(({ endedAt }) => endedAt === null)
      .map((summary) => ({
        id: `cancel-${summary.id}`,
        name: `Cancel ${lineOf(summary)}…`,
        about: `${summary.provider} · ${badgeOf(summary).word.toLowerCase()}`,
        run: () => onAction({ kind: 'cancel', id: summary.id }),
      })),
  ];
}
