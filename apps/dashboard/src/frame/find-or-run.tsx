import { useMemo, useState } from 'react';
import { usePanel } from '../house/panel-store.ts';
import { aspectOf, lineOf } from '../house/train.ts';
import { Dialog } from '../parts/dialog.tsx';
import { lookOf } from '../parts/outcome-look.ts';
import { Code } from '../parts/with-code.tsx';
import { PAGE_LIST } from './page-list.ts';
import { goTo } from './route.ts';
import { switchTheme } from './theme.ts';

type Find = Readonly<{
  id: string;
  name: string;
  /** Whether the name is what a machine reads. */
  isLine?: boolean;
  about: string;
  run: () => void;
}>;

const MOST = 12;

/** Pages, deeds and commands by what they are called. */
export function FindOrRun({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  return (
    <Dialog title="Find or run" isOpen={isOpen} onClose={onClose}>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

function Finder({ onClose }: Readonly<{ onClose: () => void }>) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = useFinds();
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
        placeholder="A page, a command, a provider"
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

function useFinds(): readonly Find[] {
  const trains = usePanel(({ panel }) => panel?.trains ?? null);
  return useMemo(
    () => [
      ...PAGE_LIST.map(({ page, name }) => ({ id: page, name, about: 'page', run: () => goTo(page) })),
      { id: 'theme', name: 'Switch theme', about: 'light or dark', run: switchTheme },
      ...[...(trains?.values() ?? [])].toReversed().map((train) => ({
        id: train.id,
        name: lineOf(train),
        isLine: true,
        about: `${train.provider} · ${lookOf(train).word.toLowerCase()}`,
        run: () => goTo(aspectOf(train) === 'person' ? 'approvals' : 'history', train.id),
      })),
    ],
    [trains],
  );
}
