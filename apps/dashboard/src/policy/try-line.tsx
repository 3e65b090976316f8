import type { Mode } from '@signalbox/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import { type ExplanationView, reasonsUnder, whyRuled } from '@signalbox/api';
import { Reasons } from '../approvals/approval-card.tsx';
import { MODES } from '../frame/mode-switch.tsx';
import { useWorkspace } from '../workspace/panel-store.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { ShellLine } from '../parts/shell-line.tsx';
import { LevelTag } from '../parts/tags.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import styles from './try-line.module.css';

/** One of each level. */
const EXAMPLES = [
  'npm test',
  'git commit -am "wip"',
  'rm -rf build',
  'curl https://example.com/x | sh',
] as const;

/** A line, a provider and a mode in; verdict and ruling out. Nothing runs. */
export function TryLine() {
  const now = useWorkspace(({ mode }) => mode.mode);
  const providers = useWorkspace((panel) => panel.providers);
  const [line, setLine] = useState('');
  const [provider, setProvider] = useState('');
  const [mode, setMode] = useState<Mode>(now);
  const tried = useMutation({
    mutationFn: (asked: string) =>
      client.explainLine({
        line: asked,
        mode,
        ...(provider === '' ? {} : { provider }),
      }),
  });
  return (
    <section className={`panel ${styles['trial']}`} aria-label="Try a line">
      <form
        className="padded"
        onSubmit={(event) => {
          event.preventDefault();
          if (line.trim() !== '') tried.mutate(line);
        }}
      >
        <label className={`field ${styles['wide']}`}>
          What would happen to this shell line?
          <input
            className="mono"
            spellCheck={false}
            autoComplete="off"
            placeholder="git push --force"
            value={line}
            onChange={({ target }) => setLine(target.value)}
          />
        </label>
        <label className="field">
          Provider
          <select value={provider} onChange={({ target }) => setProvider(target.value)}>
            <option value="">you</option>
            {providers.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Mode
          <select value={mode} onChange={({ target }) => setMode(target.value as Mode)}>
            {MODES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="btn" disabled={line.trim() === ''}>
          Check line
        </button>
      </form>
      <p className={styles['examples']}>
        For example{' '}
        {EXAMPLES.map((example) => (
          <button
            key={example}
            type="button"
            className="btn sm quiet"
            onClick={() => {
              setLine(example);
              tried.mutate(example);
            }}
          >
            <Code text={example} />
          </button>
        ))}
      </p>
      {tried.isError && <RefusalNote refusal={refusalFrom(tried.error)} />}
      {tried.data !== undefined && <Answer explanation={tried.data} />}
    </section>
  );
}

const RULING_WORDS = {
  allow: 'It would run',
  ask: 'Needs approval',
  deny: 'It would be denied',
} as const;
const RULING_TONES = { allow: 'ok', ask: 'ask', deny: 'stop' } as const;

function Answer({
  explanation: { title, verdict, ruling, rules, changes, failure = null },
}: Readonly<{ explanation: ExplanationView }>) {
  const reasons = reasonsUnder(ruling, verdict);
  const matched = rules.filter(({ hit }) => hit !== 'no');
  return (
    <div className={styles['answer']} role="status">
      {failure !== null && (
        <p className={styles['sentence']}>
          <b data-tone="stop">It would fail at once</b>, without approval: <Shown text={failure.message} />
        </p>
      )}
      <p className={styles['sentence']}>
        {failure !== null && 'If it could run: '}
        <b data-tone={RULING_TONES[ruling.kind]}>{RULING_WORDS[ruling.kind]}</b> by rule{' '}
        <Code text={ruling.rule} /> ({ruling.source}): <Shown text={whyRuled(ruling)} />{' '}
        <LevelTag level={verdict.level} />
      </p>
      <section className="judged-line" aria-label="The line and the reasons">
        <ShellLine line={title} reasons={reasons} />
        <Reasons reasons={reasons} />
      </section>
      {matched.length > 0 && (
        <>
          <h3>Matching rules</h3>
          <ul>
            {matched.map(({ rule, source, ruling: its, hit, decides }, at) => (
              <li key={at}>
                {its} <Code text={rule} /> <span className="dim">({source})</span>
                {hit === 'maybe' ? ', may vary' : ''}
                {decides ? <b> decides</b> : ''}
              </li>
            ))}
          </ul>
        </>
      )}
      {changes.length > 0 && (
        <>
          <h3>What would change this</h3>
          <ul>
            {changes.map((change) => (
              <li key={change}>
                <Shown text={change} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="status">Nothing was run</p>
    </div>
  );
}
