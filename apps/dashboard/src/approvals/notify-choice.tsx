import { useState } from 'react';
import { chime, NOTIFY, SOUND } from '../frame/alerts.ts';
import styles from './approvals-list.module.css';

/** How the user is notified of a new approval; everything is off by default. */
export function NotifyChoice() {
  return (
    <div className={styles['notify']}>
      {'Notification' in window && (
        <Choice name={NOTIFY} label="Notify me when this page is in the background" allow={mayNotify} />
      )}
      <Choice name={SOUND} label="Play a sound for new approvals" allow={mayChime} />
    </div>
  );
}

async function mayNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

/** Plays the sound at once, as a sample. */
async function mayChime(): Promise<boolean> {
  return chime();
}

function Choice({
  name,
  label,
  allow,
}: Readonly<{ name: string; label: string; allow: () => Promise<boolean> }>) {
  const [isOn, setOn] = useState(() => localStorage.getItem(name) === 'on');
  const [isRefused, setRefused] = useState(false);

  async function choose(on: boolean): Promise<void> {
    const isAllowed = on && (await allow());
    localStorage.setItem(name, isAllowed ? 'on' : 'off');
    setOn(isAllowed);
    setRefused(on && !isAllowed);
  }

  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => void choose(target.checked)} />
      <span>
        {label}
        {isRefused && (
          <small role="status">The browser blocks notifications: allow them in its settings</small>
        )}
      </span>
    </label>
  );
}
