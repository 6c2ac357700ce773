/**
 * Buttons that waive a failing run's gate for some days, with a reason, or revoke the waiver. The
 * verdict stays the same.
 */
import type { EvalRun } from '@proofmark/contract';
import { maxWaiverReasonLength, mayWaive } from '@proofmark/domain';
import { waiverOf } from '@proofmark/report';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Modal } from '../../../kit/modal.tsx';
import { notify } from '../../../kit/notice.tsx';
import type { RunIds } from '../data/eval-runs.ts';
import { draftProblem, waiverBody, waiverDays } from './waiver-draft.ts';

export function WaiveRun({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const { gateWaiver } = run;
  if (gateWaiver !== null && waiverOf(run) !== undefined) {
    return <RevokeWaiver ids={ids} waiverId={gateWaiver.id} />;
  }
  return mayWaive(run.verdict) ? <Waive ids={ids} /> : null;
}

const title = 'Waive the gate of this run';

function Waive({ ids }: { ids: RunIds }) {
  const waive = useChange('createGateWaiver', ids, { readAgain: [allBelow('getEvalRun', ids)] });
  const [isAsking, setIsAsking] = useState(false);
  const [draft, setDraft] = useState({ reason: '', days: '7' });
  const [problem, setProblem] = useState<string>();
  const close = () => {
    setIsAsking(false);
    setProblem(undefined);
    waive.reset();
  };
  const submit = () => {
    const found = draftProblem(draft, Date.now());
    setProblem(found?.message);
    if (found !== undefined || waive.isPending) return;
    waive.mutate(waiverBody(draft, Date.now()), {
      onSuccess: () => {
        close();
        notify('The gate is waived. The verdict stays failed.');
      },
    });
  };
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Waive…
      </button>
      {isAsking && (
        <Modal title={title} onClose={close}>
          <Form
            label={title}
            problem={waive.error?.message}
            attempt={problem ?? waive.error}
            onSubmit={submit}
            buttons={
              <>
                <button type="submit" className="primary" disabled={waive.isPending}>
                  Waive
                </button>
                <button type="button" onClick={close}>
                  Cancel
                </button>
              </>
            }
          >
            <p>
              A gate that asks about this run lets it pass until the waiver ends. The verdict stays
              failed, and everybody sees who waived it and why.
            </p>
            <Field label="Reason" problem={problem}>
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  maxLength={maxWaiverReasonLength}
                  value={draft.reason}
                  onChange={({ target }) => setDraft({ ...draft, reason: target.value })}
                />
              )}
            </Field>
            <Field label="Holds for">
              {(control) => (
                <select
                  {...control}
                  value={draft.days}
                  onChange={({ target }) => setDraft({ ...draft, days: target.value })}
                >
                  {waiverDays.map((days) => (
                    <option key={days} value={days}>
                      {days === '1' ? '1 day' : `${days} days`}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </Form>
        </Modal>
      )}
    </>
  );
}

function RevokeWaiver({ ids, waiverId }: { ids: RunIds; waiverId: string }) {
  const revoke = useChange('revokeGateWaiver', (waiverId: string) => ({ ...ids, waiverId }), {
    readAgain: [allBelow('getEvalRun', ids)],
  });
  const [isAsking, setIsAsking] = useState(false);
  const close = () => {
    setIsAsking(false);
    revoke.reset();
  };
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Revoke waiver
      </button>
      {isAsking && (
        <Confirm
          title="Revoke the waiver of this run?"
          action="Revoke waiver"
          busy={revoke.isPending}
          error={revoke.error}
          onClose={close}
          onConfirm={() =>
            revoke.mutate(waiverId, {
              onSuccess: () => {
                close();
                notify('The waiver was revoked.');
              },
            })
          }
        >
          <p>From then on a gate that asks about this run does not let it pass any more.</p>
        </Confirm>
      )}
    </>
  );
}
