import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { RuleView } from '@signalbox/api';
import { useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code } from '../parts/with-code.tsx';

/** Removes a rule from its file, or from its session, after saying what that does. */
export function RemoveRule({
  rule,
  onRemoved,
}: Readonly<{ rule: RuleView; onRemoved: (notice: string) => void }>) {
  const isLive = useIsLive();
  const mayWrite = useMayOperate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);

  async function remove(): Promise<void> {
    setRefusal(null);
    try {
      await client.removeRule({ layer: rule.layer, id: rule.id });
      await queries.invalidateQueries({ queryKey: ['rules'] });
      onRemoved(`${rule.id} removed from ${rule.source}`);
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <button
        type="button"
        className="btn sm quiet"
        aria-label={`Remove ${rule.id}`}
        disabled={!isLive || !mayWrite}
        onClick={() => setOpen(true)}
      >
        Remove…
      </button>
      <Dialog title={`Remove rule ${rule.id}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          It is in <Code text={rule.source} />. {WITHOUT_IT[rule.ruling]}
        </p>
        {refusal !== null && <RefusalNote refusal={refusal} />}
        <div className="actions">
          <button type="button" className="btn quiet" onClick={() => setOpen(false)}>
            Keep
          </button>
          <button type="button" className="btn stop" onClick={() => void remove()}>
            Remove rule
          </button>
        </div>
      </Dialog>
    </>
  );
}

const WITHOUT_IT: Readonly<Record<RuleView['ruling'], string>> = {
  allow: 'These calls will need approval again',
  ask: 'Without it, other rules decide; such calls may run without approval',
  deny: 'Without it, other rules decide; such calls may run',
};
