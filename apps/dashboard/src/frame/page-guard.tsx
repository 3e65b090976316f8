import { errorText } from '@signalbox/core';
import { Component, type ReactNode } from 'react';
import { usePanel } from '../workspace/panel-store.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';

type Props = Readonly<{ children: ReactNode }>;

/**
 * A page that can't be shown takes nothing but itself away: the frame stays, and the other pages do.
 *
 * A class, since React tells of errors in what is below to classes alone.
 */
export class PageGuard extends Component<Props, { readonly why: string | null }> {
  override readonly state = { why: null };

  static getDerivedStateFromError(error: unknown) {
    return { why: errorText(error) };
  }

  override render(): ReactNode {
    const { why } = this.state;
    return why === null ? this.props.children : <NotShown why={why} />;
  }
}

/** Its code comes from the server, so it is loaded anew from there, and only when it answers. */
function NotShown({ why }: Readonly<{ why: string }>) {
  const isLive = usePanel(({ link }) => link.kind === 'live');
  return (
    <RefusalNote
      refusal={{
        status: 0,
        code: 'page-not-shown',
        title: 'Cannot show this page',
        why: [why],
        next: [isLive ? 'the other pages can be opened' : 'try again when the connection is back'],
      }}
      {...(isLive ? { onRetry: () => location.reload() } : {})}
    />
  );
}
