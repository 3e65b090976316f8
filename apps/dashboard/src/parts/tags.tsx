import type { Level } from '@signalbox/core';
import type { CommandSummary } from '@signalbox/api';
import { Icon } from './icon.tsx';
import { LEVELS, type StatusBadge, badgeOf } from './status-badge.ts';

function BadgeTag({ badge }: Readonly<{ badge: StatusBadge }>) {
  return (
    <span className="tag" data-tone={badge.tone}>
      <Icon name={badge.icon} />
      {badge.word}
    </span>
  );
}

export function OutcomeTag({ summary }: Readonly<{ summary: Parameters<typeof badgeOf>[0] }>) {
  return <BadgeTag badge={badgeOf(summary)} />;
}

/** @param besides an outcome with its own tag: blocked is shown once. */
export function LevelTag({
  level,
  besides = null,
}: Readonly<{ level: Level | null; besides?: CommandSummary['outcome'] }>) {
  return level === null || level === besides ? null : <BadgeTag badge={LEVELS[level]} />;
}
