import type { Refusal } from '../api/ask.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Mark } from './mark.tsx';

/** The whole page: no retry can help, only a fresh link. */
export function NotLetIn({ refusal }: Readonly<{ refusal: Refusal }>) {
  return (
    <main className="door" id="main">
      <p className="brand">
        <Mark />
        <b>Signalbox</b>
      </p>
      <h1>This page needs a fresh link</h1>
      <p>{refusal.title}.</p>
      <p>In the workspace, run:</p>
      <pre tabIndex={0}>signalbox dashboard</pre>
      <p>
        It prints a link that opens this page once, within two minutes. A link that was used is worth nothing.
      </p>
    </main>
  );
}

/** The server never answered: there is nothing yet that could be shown as old. */
export function NotReached({ refusal, onRetry }: Readonly<{ refusal: Refusal; onRetry: () => void }>) {
  return (
    <div className="door">
      <h1>Not connected</h1>
      <RefusalNote refusal={refusal} onRetry={onRetry} />
    </div>
  );
}
