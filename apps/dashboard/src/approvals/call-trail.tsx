import type { CommandView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { lineOf } from '../workspace/train.ts';
import { Icon } from '../parts/icon.tsx';
import { lookOf } from '../parts/outcome-look.ts';
import { Code, Shown } from '../parts/with-code.tsx';

const MOST_STEPS = 4;

/** The last calls of the same session, what the model says it is doing, and who asks for a person. */
export function CallTrail({ command }: Readonly<{ command: CommandView }>) {
  const trains = useWorkspace((panel) => panel.commands);
  const { context, ruling } = command;
  const own = [...trains.values()].filter(({ sessionId }) => sessionId === context.sessionId);
  const earlier = own
    .filter(({ id, submittedAt }) => id !== command.id && submittedAt <= command.submittedAt)
    .toSorted((a, b) => a.submittedAt - b.submittedAt)
    .slice(-MOST_STEPS + 1);
  const itself = own.find(({ id }) => id === command.id);
  return (
    <section>
      <h2>What led to this call</h2>
      <ol className="trail">
        {[...earlier, ...(itself === undefined ? [] : [itself])].map((train) => {
          const look = lookOf(train);
          const tone = look.tone === 'stop' ? 'bad' : look.tone === 'ask' ? 'ask' : '';
          return (
            <li key={train.id}>
              <i className={tone}>
                <Icon name={look.icon} />
              </i>
              <a
                href={linkTo('history', train.id)}
                {...(train.id === command.id ? { className: 'here' } : {})}
              >
                <Code text={lineOf(train)} />
              </a>
              <time>
                {tone === 'bad' ? `${look.word} ` : ''}
                {timeOfDay(train.submittedAt)}
              </time>
            </li>
          );
        })}
      </ol>
      {context.says !== undefined && (
        <p className="says">
          {context.provider} says: “<Shown text={context.says} layout="lines" />”{' '}
          <span className="dim">Not checked.</span>
        </p>
      )}
      {ruling !== null && (
        <p className="mid ruling">
          Ruling <b>{ruling.kind}</b> by rule <Code text={ruling.rule} /> ({ruling.source}):{' '}
          <Shown text={ruling.reason} />
        </p>
      )}
    </section>
  );
}
