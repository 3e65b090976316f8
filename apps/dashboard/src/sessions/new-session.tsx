import { useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import { goTo } from '../frame/route.ts';
import { useHouse, useIsLive, useMayOperate } from '../house/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';

/** As the API takes it, in characters. */
const LONGEST_TASK = 10_000;

/** One task for one or more providers of the settings; a session each. */
export function NewSession({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  return (
    <Dialog title="New session" isOpen={isOpen} onClose={onClose}>
      <NewSessionForm onClose={onClose} />
    </Dialog>
  );
}

/** The button of pages; nothing for who may not start one. */
export function NewSessionButton() {
  const [isOpen, setOpen] = useState(false);
  const mayOperate = useMayOperate();
  if (!mayOperate) return null;
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        New session…
      </button>
      <NewSession isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function NewSessionForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const configured = useHouse((panel) => panel.configured);
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const [task, setTask] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(configured.length === 1 ? configured : []),
  );
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);

  async function start(): Promise<void> {
    setSending(true);
    setRefusal(null);
    let last: string | null = null;
    try {
      // One after the other: if one is refused, those before it have started and are no longer chosen.
      for (const provider of configured.filter((name) => chosen.has(name))) {
        const { sessionId } = await ask<{ sessionId: string }>('POST', '/api/sessions', { provider, task });
        last = sessionId;
        setChosen((before) => new Set([...before].filter((name) => name !== provider)));
      }
      onClose();
      goTo('sessions', last);
    } catch (error) {
      setRefusal(refusalFrom(error));
      setSending(false);
    }
  }

  if (configured.length === 0) {
    return (
      <p>
        No providers are configured. Set an API key such as <code>ANTHROPIC_API_KEY</code>, or add a provider
        with <code>signalbox config edit</code>, then restart the server
      </p>
    );
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label className="field">
        Task
        <textarea
          autoFocus
          rows={4}
          value={task}
          maxLength={LONGEST_TASK}
          onChange={({ target }) => setTask(target.value)}
        />
      </label>
      <fieldset className="choices">
        <legend>Providers</legend>
        {configured.map((provider) => (
          <label key={provider}>
            <input
              type="checkbox"
              checked={chosen.has(provider)}
              onChange={({ target }) => setChosen(switched(chosen, provider, target.checked))}
            />
            <Plate provider={provider} />
            {provider}
          </label>
        ))}
      </fieldset>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="acts">
        <button type="button" className="btn quiet" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          className="btn"
          disabled={!isLive || !mayOperate || isSending || task.trim() === '' || chosen.size === 0}
          title={mayOperate ? undefined : 'Requires the operator role'}
        >
          {chosen.size > 1 ? `Start ${chosen.size} sessions` : 'Start session'}
        </button>
      </div>
    </form>
  );
}

function switched(chosen: ReadonlySet<string>, name: string, isOn: boolean): ReadonlySet<string> {
  return new Set(isOn ? [...chosen, name] : [...chosen].filter((other) => other !== name));
}
