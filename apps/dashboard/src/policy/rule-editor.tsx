import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { RuleDraft, RuleFile, StoredRule } from '@signalbox/api';
import { useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { RuleFields } from '../rules/rule-fields.tsx';
import { ScopeChoice } from '../rules/scope-choice.tsx';
import { Shown } from '../parts/with-code.tsx';
import styles from '../rules/rule-form.module.css';

/** A template that shows a rule's parts, to be edited. */
const BEGINNING = `rules:
  - id: no-publish
    deny: { program: npm, args: [ publish, "**" ] }
    because: only the release script publishes
    examples:
      match:
        - npm publish --tag next
      not_match:
        - npm pack
`;

const SCOPES: readonly RuleFile[] = ['local', 'user', 'workspace'];

/** Writes a user's rule into their own settings: checked while it is typed, and previewed exactly. */
export function RuleEditor({ onWritten }: Readonly<{ onWritten: (notice: string) => void }>) {
  const isLive = useIsLive();
  const mayWrite = useMayOperate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn sm"
        disabled={!isLive || !mayWrite}
        title={mayWrite ? undefined : 'Requires the operator role'}
        onClick={() => setOpen(true)}
      >
        New rule…
      </button>
      <Dialog title="New rule" isOpen={isOpen} isWide onClose={() => setOpen(false)}>
        <EditorForm
          onClose={() => setOpen(false)}
          onWritten={(notice) => {
            setOpen(false);
            onWritten(notice);
          }}
        />
      </Dialog>
    </>
  );
}

function EditorForm({
  onClose,
  onWritten,
}: Readonly<{ onClose: () => void; onWritten: (notice: string) => void }>) {
  const isLive = useIsLive();
  const queries = useQueryClient();
  const [text, setText] = useState(BEGINNING);
  const [scope, setScope] = useState<RuleFile>('local');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const settled = useSettled(text);
  const checked = useQuery({
    queryKey: ['rule-draft', settled],
    queryFn: () => client.checkRule({ text: settled }),
    enabled: settled.trim() !== '',
    retry: false,
  });
  const draft = settled === text ? checked.data : undefined;

  async function write(): Promise<void> {
    setRefusal(null);
    try {
      const stored = await client.addRule({ text, file: scope });
      await queries.invalidateQueries({ queryKey: ['rules'] });
      onWritten(writtenText(stored));
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft?.kind === 'fits') void write();
      }}
    >
      <div className={styles['fields']}>
        <RuleFields text={text} hasEnd onText={setText} />
        <ScopeChoice scope={scope} scopes={SCOPES} mayWrite onScope={setScope} />
      </div>
      {draft?.kind === 'fits' && (
        <details>
          <summary>Text for the file</summary>
          <pre className={styles['written']}>
            <Shown text={draft.text} layout="lines" />
          </pre>
        </details>
      )}
      {checked.isError && <RefusalNote refusal={refusalFrom(checked.error)} />}
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="actions">
        <span className="form-status" role="status">
          <Shown text={draftText(draft)} />
        </span>
        <button type="button" className="btn quiet" onClick={onClose}>
          Back
        </button>
        <button type="submit" className="btn" disabled={!isLive || draft?.kind !== 'fits'}>
          Write the rule
        </button>
      </div>
    </form>
  );
}

function draftText(draft: RuleDraft | undefined): string {
  if (draft === undefined) return 'Checking…';
  return draft.kind === 'fits' ? 'Its examples pass' : `Cannot save this: ${draft.why}`;
}

function writtenText({ id, where, counts }: StoredRule): string {
  return counts
    ? `${id} is in ${where} and applies from now on`
    : `${id} is in ${where} and applies after \`signalbox rules trust\``;
}
