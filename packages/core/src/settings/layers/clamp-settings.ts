import { getIn, type SettingsPath, setIn } from '../keys/settings-path.ts';

/** Numbers that are clamped instead of refused, and the fallback for a value that is not a number (U3, S001-70). */
const CLAMPED: readonly { path: SettingsPath; min: number; max: number; fallback: number }[] = [
  { path: ['tools', 'tafc', 'complexity_threshold'], min: 0, max: 1, fallback: 0.6 },
  { path: ['tools', 'dependencies', 'boost_per_dep'], min: 0, max: 1, fallback: 0.15 },
  { path: ['tools', 'dependencies', 'max_total_boost'], min: 0, max: 1, fallback: 0.2 },
  { path: ['tools', 'utility', 'threshold'], min: -1_000_000, max: 1_000_000, fallback: 0 },
];

export type Note = { readonly path: SettingsPath; readonly message: string };

/** The same value with these numbers clamped, and a note on each that was out of range. */
export function clampSettings(value: unknown): { readonly value: unknown; readonly notes: readonly Note[] } {
  const notes: Note[] = [];
  let clamped = value;
  for (const { path, min, max, fallback } of CLAMPED) {
    const given = getIn(value, path);
    if (typeof given !== 'number') continue;
    const used = Number.isFinite(given) ? Math.min(max, Math.max(min, given)) : fallback;
    if (used === given) continue;
    clamped = setIn(clamped, path, { next: used });
    notes.push({ path, message: `${given} is not between ${min} and ${max}: ${used} is used` });
  }
  return { value: clamped, notes };
}
