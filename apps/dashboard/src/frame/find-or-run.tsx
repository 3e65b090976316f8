import { useMemo, useState } from 'react';
import { usePanel } from '../workspace/panel-store.ts';
import type { CommandSummary } from '@signalbox/api';
import { aspectOf, lineOf } from '../workspace/train.ts';
import { Dialog } from '../parts/dialog.tsx';
import { lookOf } from '../parts/outcome-look.ts';
import { Code } from '../parts/with-code.tsx';
import { copyFinds, fileFinds, undoFinds } from './command-finds.ts';
import { type Deed, OpenDeed } from './deeds.tsx';
import type { Find } from './find.ts';
import { MODES } from './mode-lever.tsx';
import { PAGE_LIST } from './page-list.ts';
import { goTo } from './route.ts';
import { switchTheme } from './theme.ts';

const MOST = 12;

/** Pages, deeds and commands by what they are called. */
export function FindOrRun({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  const [deed, setDeed] = useState<Deed | null>(null);
  return (
    <>
      <Dialog title="Find or run" isOpen={isOpen} onClose={onClose}>
        <Finder onClose={onClose} onDeed={setDeed} />
      </Dialog>
      {deed !== null && <OpenDeed deed={deed} onClose={() => setDeed(null)} />}
    </>
  );
}

function Finder({ onClose, onDeed }: Readonly<{ onClose: () => void; onDeed: (deed: Deed) => void }>) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = useFinds(onDeed);
  const found = all
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST);
  const chosen = Math.min(at, found.length - 1);

  function choose(find: Find | undefined): void {
    if (find === undefined) return;
    onClose();
    find.run();
  }

  return (
    <div className="finder">
      <input
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

function useFinds(onDeed: (deed: Deed) => void): readonly Find[] {
  const trains = usePanel(({ panel }) => panel?.commands ?? null);
  const role = usePanel(({ panel }) => panel?.you.role ?? 'viewer');
  return useMemo(() => {
    const newest = [...(trains?.values() ?? [])].toReversed();
    return [
      ...PAGE_LIST.map(({ page, name }) => ({ id: page, name, about: 'page', run: () => goTo(page) })),
      ...(role === 'operator' ? deedFinds(newest.toReversed(), onDeed) : []),
      { id: 'theme', name: 'Switch theme', about: 'light or dark', run: switchTheme },
      ...newest.map((train) => ({
        id: train.id,
        name: lineOf(train),
        isLine: true,
        about: `${train.provider} · ${lookOf(train).word.toLowerCase()}`,
        run: () => goTo(aspectOf(train) === 'person' ? 'approvals' : 'history', train.id),
      })),
      ...(role === 'operator' ? undoFinds(newest, onDeed) : []),
      ...fileFinds(newest),
      ...copyFinds(newest),
    ];
  }, [trains, role, onDeed]);
}

/** What an operator can do from anywhere. */
function deedFinds(trains: readonly CommandSummary[], onDeed: (deed: Deed) => void): readonly Find[] {
  const pending = trains.filter((train) => aspectOf(train) === 'person');
  const [next] = pending.toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
  return [
    {
      id: 'new',
      name: 'New session…',
      about: 'task and providers',
      run: () => onDeed({ kind: 'new-session' }),
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
      run: () => onDeed({ kind: 'mode', mode }),
    })),
    ...trains
      .filter(({ endedAt }) => endedAt === null)
      .map((train) => ({
        id: `cancel-${train.id}`,
        name: `Cancel ${lineOf(train)}…`,
        about: `${train.provider} · ${lookOf(train).word.toLowerCase()}`,
        run: () => onDeed({ kind: 'cancel', id: train.id }),
      })),
  ];
}
