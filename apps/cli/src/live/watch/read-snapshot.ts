import { clientAt } from '../../client/client-at.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import type { LinkNews } from './link-news.ts';

type SnapshotNews = LinkNews & { readonly kind: 'snapshot' };

/** How things stand at a server, and that they stood so when its backend is away. */
export async function readSnapshot(
  access: LocalAccess,
  after: SnapshotNews['after'],
  signal?: AbortSignal,
): Promise<readonly [SnapshotNews, ...LinkNews[]]> {
  let away: LinkNews[] = [];
  const client = clientAt(access, {
    onAsOf: (asOf) => {
      away = [{ kind: 'away', asOf, why: 'Redis does not answer' }];
    },
  });
  const snapshot = await client.getSnapshot({}, signal);
  return [{ kind: 'snapshot', snapshot, after }, ...away];
}
