import { goTo } from './route.ts';

/** Key of the user's choice in this browser's storage. */
export const NOTIFY = 'signalbox.notify';
export const SOUND = 'signalbox.sound';

/**
 * Alerts to a new approval outside of the page, if the user has enabled that.
 *
 * @param commandId the pending command, opened by a click on the notification; null for several, which opens the list.
 */
export function alertOf(text: string, commandId: string | null): void {
  if (localStorage.getItem(SOUND) === 'on') void chime();
  if (!document.hidden || localStorage.getItem(NOTIFY) !== 'on') return;
  if (Notification.permission !== 'granted') return;
  const shown = new Notification('Signalbox', { body: text, tag: 'signalbox' });
  shown.addEventListener('click', () => {
    window.focus();
    goTo('approvals', commandId);
    shown.close();
  });
}

/** Two strokes of a bell, in hertz. */
const STROKES = [1320, 1056] as const;
const STROKE_S = 0.18;
const VOLUME = 0.12;

let context: AudioContext | null = null;

/** Plays the sound; false if the browser allows no sound before a user gesture. */
export async function chime(): Promise<boolean> {
  context ??= new AudioContext();
  const audio = context;
  await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, 300))]);
  if (audio.state !== 'running') return false;
  for (const [at, hertz] of STROKES.entries()) {
    const begin = audio.currentTime + at * STROKE_S;
    const gain = audio.createGain();
    gain.gain.setValueAtTime(VOLUME, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + STROKE_S * 2);
    gain.connect(audio.destination);
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(begin);
    tone.stop(begin + STROKE_S * 2);
  }
  return true;
}
