import type { ProviderInfo } from '@signalbox/api';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { goTo } from '../frame/route.ts';
import { useWorkspace, useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Plate } from '../parts/plate.tsx';
import { visible } from '@signalbox/core/visible-text';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Shown } from '../parts/with-code.tsx';
import styles from './new-session.module.css';

/** The API's limit, in characters. */
const LONGEST_TASK = 10_000;
const LONGEST_LINE = 16_384;
const LAST_TASKS = 5;

/** One task for one or more configured providers; a session each. All start, or none does. */
export function NewSession({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  return (
    <Dialog title="New session" isOpen={isOpen} onClose={onClose}>
      <NewSessionForm onClose={onClose} />
    </Dialog>
  );
}

/** The button on pages; renders nothing without the right to start sessions. */
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
  const configured = useWorkspace((panel) => panel.configured);
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const [task, setTask] = useState('');
  const tests = useWorkspace((panel) => panel.tests);
  const [until, setUntil] = useState(tests ?? '');
  const [turns, setTurns] = useState('');
  const [budget, setBudget] = useState('');
  const usable = configured.filter(isUsable).map(({ id }) => id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(usable.length === 1 ? usable : []));
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const [isSending, setSending] = useState(false);

  async function start(): Promise<void> {
    setSending(true);
    setRefusal(null);
    try {
      const { sessions } = await client.startRun({
        assignments: usable.filter((name) => chosen.has(name)).map((provider) => ({ provider, task })),
        until: until.trim() === '' ? null : { line: until.trim() },
        ...(turns === '' ? {} : { turns: Number(turns) }),
        ...(budget === '' ? {} : { budgetUsd: Number(budget) }),
      });
      onClose();
      goTo('sessions', sessions[0] ?? null);
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
      <LastTasks onChoose={setTask} />
      <fieldset className={styles['choices']}>
        <legend>Providers</legend>
        {configured.map((provider) => (
          <label key={provider.id}>
            <input
              type="checkbox"
              disabled={!isUsable(provider)}
              checked={chosen.has(provider.id)}
              onChange={({ target }) => setChosen(switched(chosen, provider.id, { isOn: target.checked }))}
            />
            <Plate provider={provider.id} />
            {provider.id}
            <WhyNot provider={provider} />
          </label>
        ))}
      </fieldset>
      {configured.some(({ missingKey }) => missingKey !== null) && (
        <p className="dim">
          Sessions from here use the keys that the coordinator was started with. With a key of yours, start
          one in a terminal: <code>signalbox run</code>
        </p>
      )}
      <label className="field">
        Until this line passes
        <input
          value={until}
          maxLength={LONGEST_LINE}
          placeholder="no check: until each session has finished"
          spellCheck={false}
          onChange={({ target }) => setUntil(target.value)}
        />
      </label>
      <Amount
        label="Turns, each"
        value={turns}
        step="1"
        placeholder="as in the settings"
        onChange={setTurns}
      />
      <Amount
        label="Budget in US dollars, together"
        value={budget}
        step="0.01"
        placeholder="as in the settings"
        onChange={setBudget}
      />
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="actions">
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

function isUsable({ missingKey, unconfirmed }: ProviderInfo): boolean {
  return missingKey === null && unconfirmed === null;
}

/** Why a provider can't start a session; renders nothing if it can. */
function WhyNot({ provider: { missingKey, unconfirmed } }: Readonly<{ provider: ProviderInfo }>) {
  if (unconfirmed !== null)
    return (
      <small className="dim">
        address not confirmed: <Shown text={unconfirmed.file} /> sends it to <Shown text={unconfirmed.url} />.
        If that is right, run <code>{visible(unconfirmed.next)}</code>
      </small>
    );
  return missingKey === null ? null : <small className="dim">no API key: {missingKey}</small>;
}

/** Tasks of the last sessions, for reuse. */
function LastTasks({ onChoose }: Readonly<{ onChoose: (task: string) => void }>) {
  const sessions = useWorkspace((panel) => panel.sessions);
  const newest = [...sessions.values()].toSorted((one, other) => other.startedAt - one.startedAt);
  const tasks = [...new Set(newest.map(({ task }) => task))].slice(0, LAST_TASKS);
  if (tasks.length === 0) return null;
  return (
    <section className={styles['last-tasks']} aria-label="Last tasks">
      <h3>Last tasks</h3>
      <ul>
        {tasks.map((task) => (
          <li key={task}>
            <button
              type="button"
              className="btn sm quiet"
              title={visible(task)}
              onClick={() => onChoose(task)}
            >
              {visible(task)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Amount({
  label,
  value,
  step,
  placeholder,
  onChange,
}: Readonly<{
  label: string;
  value: string;
  step: string;
  placeholder: string;
  onChange: (value: string) => void;
}>) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min={step}
        step={step}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

function switched(
  chosen: ReadonlySet<string>,
  name: string,
  { isOn }: Readonly<{ isOn: boolean }>,
): ReadonlySet<string> {
  return new Set(isOn ? [...chosen, name] : [...chosen].filter((other) => other !== name));
}
