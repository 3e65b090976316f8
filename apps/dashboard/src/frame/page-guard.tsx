import { errorText } from '@signalbox/core';
import { Component, type ReactNode } from 'react';
import { usePanel } from '../workspace/panel-store.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';

type Props = Readonly<{ children: ReactNode }>;

/**
 * A page that fails to render removes only itself: the frame stays, and so do the other pages.
 *
 * A class, because React reports errors of children only to classes.
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

/** Its code is loaded from the server again, once that responds. */
function NotShown({ why }: Readonly<{ why: string }>) {
  const isLive = usePanel(({ link }) => link.kind === 'live');
  return (
    <RefusalNote
      refusal={{
        status: 0,
        code: 'page-not-shown',
        title: 'Cannot show this page',
        why: [why],
        next: [isLive ? 'the other pages still work' : 'try again when the connection is back'],
      }}
      {...(isLive ? { onRetry: () => location.reload() } : {})}
    />
  );
}
