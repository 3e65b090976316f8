import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { CommandView, RuleDraft, RuleScope, StoredRule, WaitingApproval } from '@signalbox/api';
import { useMayOperate } from '../workspace/panel-store.ts';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { RuleFields } from '../rules/rule-fields.tsx';
import { ScopeChoice } from '../rules/scope-choice.tsx';
import { Shown } from '../parts/with-code.tsx';
import styles from '../rules/rule-form.module.css';
import barStyles from './decide-bar.module.css';

type Props = Readonly<{
  command: WaitingApproval['command'];
  isOff: boolean;
  onBack: () => void;
  onRemembered: (command: CommandView, notice: string) => void;
}>;

/** "Always": a rule as narrow as the call, shown exactly and editable, with scope and expiry; then the call runs. */
export function RememberForm(props: Props) {
  const { command, onBack } = props;
  const proposed = useQuery({
    queryKey: ['rule', command.id, command.approval?.callHash],
    queryFn: () => client.proposeRule({ id: command.id }),
    retry: false,
  });
  const { data } = proposed;
  if (data?.kind === 'rule') return <Proposed {...props} proposed={data.text} />;
  return (
    <div className={`${barStyles['bar']} ${barStyles['wide']}`} role="group" aria-label="Always">
      {proposed.isPending && <Loading lines={1} />}
      {proposed.isError && <RefusalNote refusal={refusalFrom(proposed.error)} />}
      {data?.kind === 'never' && (
        <p className="mid">
          No rule can cover this call: <Shown text={data.why} />
        </p>
      )}
      <button type="button" className="btn" onClick={onBack}>
        Back
      </button>
    </div>
  );
}

const SCOPES: readonly RuleScope[] = ['session', 'local', 'user', 'workspace'];
/** A line of `exec` has a session to itself: a session rule would end with that line. */
const OWN_SCOPES = SCOPES.filter((scope) => scope !== 'session');

function Proposed({
  command,
  isOff,
  onBack,
  onRemembered,
  proposed,
}: Props & Readonly<{ proposed: string }>) {
  const mayWrite = useMayOperate();
  const [text, setText] = useState(proposed);
  // Agreed hosts are stored in one file, and don't expire.
  const isAgreement = /^[ \t]*agree:/m.test(proposed);
  const usual = command.context.provider === 'you' ? OWN_SCOPES : SCOPES;
  const scopes = isAgreement ? (['local'] as const) : usual;
  const [scope, setScope] = useState<RuleScope>(scopes[0] ?? 'local');
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const settled = useSettled(text);
  const checked = useQuery({
    queryKey: ['rule-check', command.id, settled],
    queryFn: () => client.checkRuleForCall({ id: command.id, text: settled }),
    enabled: settled.trim() !== '',
    retry: false,
  });
  const draft = settled === text ? checked.data : undefined;

  async function remember(): Promise<void> {
    if (draft?.kind !== 'fits') return;
    setSending(true);
    setRefusal(null);
    try {
      const callHash = command.approval?.callHash ?? '';
      const {
        command: answered,
        stored,
        notStored,
      } = await client.rememberApproval({
        id: command.id,
        callHash,
        rule: draft.rule,
        scope,
      });
      onRemembered(
        answered,
        stored === null ? `No rule was saved: ${notStored ?? ''}` : rememberedText(stored),
      );
    } catch (error) {
      setRefusal(refusalFrom(error));
      setSending(false);
    }
  }

  return (
    <form
      className={`${barStyles['bar']} ${barStyles['stacked']}`}
      aria-label="Always"
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
      onSubmit={(event) => {
        event.preventDefault();
        void remember();
      }}
    >
      <div className={styles['fields']}>
        <RuleFields text={text} hasEnd={scope !== 'session' && !isAgreement} onText={setText} />
        <ScopeChoice scope={scope} scopes={scopes} mayWrite={mayWrite} onScope={setScope} />
      </div>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      {checked.isError && <RefusalNote refusal={refusalFrom(checked.error)} />}
      <div className="actions">
        <span className="form-status" role="status">
          <Shown text={draftText(draft)} layout="lines" />
        </span>
        <button type="button" className="btn quiet" onClick={onBack}>
          Back
        </button>
        <button type="submit" className="btn ask" disabled={isOff || isSending || draft?.kind !== 'fits'}>
          Approve and save rule
        </button>
      </div>
    </form>
  );
}

function draftText(draft: RuleDraft | undefined): string {
  if (draft === undefined) return 'Checking…';
  if (draft.kind === 'unfit') return `Cannot use this rule: ${draft.why}`;
  return 'The rule allows this call; its examples pass';
}

function rememberedText({ id, where, counts }: StoredRule): string {
  return counts
    ? `Approved, and remembered as ${id} in ${where}`
    : `Approved. ${id} is in ${where} and applies after \`signalbox rules trust\``;
}
