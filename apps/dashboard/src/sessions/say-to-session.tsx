import type { SessionView } from '@signalbox/api';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useIsLive } from '../workspace/panel-store.ts';
import styles from './say-to-session.module.css';

/** The API's limit, in characters. */
const LONGEST_MESSAGE = 10_000;

/** A message to a running session, read at its next turn, or at once. */
export function SayToSession({
  session: { id, provider },
}: Readonly<{ session: Pick<SessionView, 'id' | 'provider'> }>) {
  const isLive = useIsLive();
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const canSend = isLive && !isSending && text.trim() !== '';

  async function send(interrupts: boolean): Promise<void> {
    if (!canSend) return;
    setSending(true);
    setRefusal(null);
    try {
      await client.sayToSession({ id, text, interrupts });
      setText('');
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
    setSending(false);
  }

  return (
    <form
      className={styles['message']}
      aria-label={`Message to ${provider}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send(false);
      }}
    >
      <label className="field">
        Message
        <textarea
          rows={2}
          value={text}
          maxLength={LONGEST_MESSAGE}
          placeholder={`${provider} reads it at its next turn`}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void send(false);
          }}
        />
      </label>
      <div className="actions">
        <button
          type="button"
          className="btn sm quiet"
          disabled={!canSend}
          title="Stops its turn and its running commands, so that it reads this now"
          onClick={() => void send(true)}
        >
          Stop and do this instead
        </button>
        <button type="submit" className="btn sm" disabled={!canSend}>
          Send
        </button>
      </div>
      {refusal !== null && <RefusalNote refusal={refusal} />}
    </form>
  );
}
