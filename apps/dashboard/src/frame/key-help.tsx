import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { FIND_KEY, setSingleKeys, singleKeysAreOn } from './keys.ts';
import { PAGE_LIST } from './page-list.ts';
import styles from './key-help.module.css';

const KEYS: readonly (readonly [string, string])[] = [
  [FIND_KEY, 'Find or run'],
  ['j k', 'Next, previous'],
  ['Enter', 'Open'],
  ['Esc', 'Back, disarm'],
  ['/', 'Filter the history'],
  ['f', 'Freeze Live'],
  ['a m d', 'Approve, modify, deny the open card'],
  ['l', 'Always: save the answer as a rule'],
  ['d', 'Changes of the command'],
  ['o', 'Go to the output of the open command'],
  ['x', 'Cancel the open command, after confirmation'],
  ['?', 'This list'],
];

export function KeyHelp({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className={styles['keys']}>
        {[...PAGE_LIST.map(({ key, name }) => [`g ${key}`, name] as const), ...KEYS].map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setSingleKeys(target.checked);
            setOn(target.checked);
          }}
        />
        Single keys
      </label>
      <div className="actions">
        <button type="button" className="btn quiet" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
