import { savingsText } from '@signalbox/api';
import { quoteWord } from '../../terminal/quote-word.ts';
import { REDIS_URL } from '../../runtime/workspace/redis-address.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { duration, plural } from '../../terminal/render-context.ts';
import type { DemoReport } from './run-demo.ts';
import { SCRIPTED_PERSON } from './scripted-person.ts';
import { TESTS } from './shop.ts';

/**
 * The demo's last lines: results in numbers, what did not happen, and next steps. Setup that these need comes first.
 *
 * @param kept Null if the folder was removed, so that there is nothing to look at.
 */
export function closingLines(report: DemoReport, kept: Kept | null): readonly Line[] {
  const { summary, complete } = report;
  const workspace = quoteWord(report.workspace);
  const mark = complete ? as('ok', '✓') : as('danger', '✗');
  return [
    line(
      mark,
      ` ${summary.passed} of ${TESTS} tests pass · ${summary.providers} providers · ${summary.commands} commands`,
      ` · ${duration(summary.tookMs)} · $0.00 (scripted)`,
    ),
    ...(complete ? happened(report) : missing(report)),
    ...(kept === null ? [] : nextStepLines(workspace, kept)),
    line(muted('Yours: '), 'cd your-code && signalbox init && signalbox run "Make the tests pass"'),
  ];
}

type Kept = Readonly<{
  /** The folder missing in PATH; null if `signalbox` is found. */
  missingFolder: string | null;
  onRedis: boolean;
}>;

function nextStepLines(workspace: string, { missingFolder, onRedis }: Kept): readonly Line[] {
  const first = [
    ...(missingFolder === null ? [] : [`export PATH=${quoteWord(`${missingFolder}:`)}"$PATH"`]),
    ...(onRedis ? [`export ${REDIS_URL}=…   the address of that Redis`] : []),
  ];
  return [
    ...first.map((text) => line(muted('First: '), text)),
    line(muted('Look:  '), `signalbox diff --stat -C ${workspace}`),
    line('       ', `signalbox history -C ${workspace}`),
    line('       ', `signalbox audit verify -C ${workspace}`),
  ];
}

function happened({ summary, events }: DemoReport): readonly Line[] {
  const { waits, waitedMs, staleWrites, blocked, granted, refused } = summary;
  const scripted = events.some(
    (event) => event.type === 'command_approved' && event.by !== 'auto' && event.by.name === SCRIPTED_PERSON,
  );
  const answer =
    granted > 0 ? `${plural(granted, 'approval')} granted` : `${plural(refused, 'approval')} refused`;
  return [
    line(
      `  6 reads ran together · ${plural(waits, 'wait')}, ${duration(waitedMs)}`,
      ` · ${plural(staleWrites, 'stale write')} rejected and redone`,
    ),
    line(
      `  ${plural(blocked, 'line')} blocked · ${answer} (${scripted ? SCRIPTED_PERSON : 'you'})`,
      ' · audit log consistent',
    ),
    line(`  tests run once per tree · ${savingsText(summary.saved)}`),
    line('  If allowed, the stale write would have broken 2 tests again.'),
  ];
}

function missing({ scenes, audit }: DemoReport): readonly Line[] {
  return [
    ...scenes
      .filter((scene) => !scene.happened)
      .map(({ scene, facts }) =>
        line(as('danger', `  did not happen: ${scene}`), muted(` (${facts.join('; ')})`)),
      ),
    ...audit.problems.map(({ message }) => line(as('danger', `  audit: ${message}`))),
  ];
}
