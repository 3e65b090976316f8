import type { ApiRefusal } from '../api/client.ts';
import { Shown, WithCode } from './with-code.tsx';

/** What could not be done, why, and what to do. */
export function RefusalNote({ refusal, onRetry }: Readonly<{ refusal: ApiRefusal; onRetry?: () => void }>) {
  return (
    <div className="refusal-note" role="alert">
      <b>
        <Shown text={refusal.title} />
      </b>
      {refusal.why.map((why) => (
        <p key={why}>
          <Shown text={why} />
        </p>
      ))}
      {refusal.next.map((next) => (
        <p key={next}>
          <WithCode text={next} />
        </p>
      ))}
      {onRetry !== undefined && (
        <button type="button" className="btn sm" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
