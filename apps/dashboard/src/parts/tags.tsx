import type { Level } from '@signalbox/core';
import type { CommandSummary } from '@signalbox/api';
import { Icon } from './icon.tsx';
import { LEVELS, type Look, lookOf } from './outcome-look.ts';

function LookTag({ look }: Readonly<{ look: Look }>) {
  return (
    <span className={`tag ${look.tone}`}>
      <Icon name={look.icon} />
      {look.word}
    </span>
  );
}

export function OutcomeTag({ train }: Readonly<{ train: Parameters<typeof lookOf>[0] }>) {
  return <LookTag look={lookOf(train)} />;
}

/** @param besides the outcome that has a tag of its own: blocked is said once. */
export function LevelTag({
  level,
  besides = null,
}: Readonly<{ level: Level | null; besides?: CommandSummary['outcome'] }>) {
  return level === null || level === besides ? null : <LookTag look={LEVELS[level]} />;
}
