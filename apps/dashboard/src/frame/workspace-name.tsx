import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useIsLive, usePanel } from '../workspace/panel-store.ts';
import { Icon } from '../parts/icon.tsx';
import { Shown } from '../parts/with-code.tsx';
import { visible } from '@signalbox/core/visible-text';
import styles from './workspace-name.module.css';

/** No event reports it: a command or a person switches the branch, so the server is polled. */
const ASKED_EVERY_MS = 10_000;
const COMMIT_LETTERS = 7;

/** The name of the directory tree, and its branch. */
export function WorkspaceName() {
  const name = usePanel(({ panel }) => panel?.workspace ?? '');
  const isLive = useIsLive();
  const { data } = useQuery({
    queryKey: ['workspace'],
    queryFn: () => client.getWorkspace(),
    enabled: isLive,
    refetchInterval: ASKED_EVERY_MS,
    refetchOnWindowFocus: true,
  });
  const head = data?.head ?? null;
  return (
    <div className={styles['workspace']}>
      <b title={visible(name)}>
        <Shown text={name} />
      </b>
      {head?.kind === 'branch' && (
        <span className={styles['branch']} title={`Branch ${visible(head.name)}`}>
          <Icon name="branch" />
          <span>
            <span className="sr">Branch </span>
            <Shown text={head.name} />
          </span>
        </span>
      )}
      {head?.kind === 'commit' && (
        <span className={styles['branch']} title={`On commit ${head.id}, on no branch`}>
          no branch, {head.id.slice(0, COMMIT_LETTERS)}
        </span>
      )}
    </div>
  );
}
