import { maxQuarantineOwnerLength, maxQuarantineReasonLength } from '@proofmark/domain';
import { useState } from 'react';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Modal } from '../../../kit/modal.tsx';
import { notify } from '../../../kit/notice.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';
import {
  type QuarantineDraft,
  quarantineBody,
  quarantineDays,
  quarantineDraftProblem,
} from './quarantine-draft.ts';

export interface CaseToExcuse {
  readonly caseId: string;
  readonly name: string;
}

const title = 'Put a case into quarantine';

export function PutIntoQuarantine(props: { ids: SuiteIds; cases: readonly CaseToExcuse[] }) {
  const [isAsking, setIsAsking] = useState(false);
  const [first] = props.cases;
  if (first === undefined) return null;
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Quarantine…
      </button>
      {isAsking && (
        <QuarantineDialog {...props} first={first.caseId} onClose={() => setIsAsking(false)} />
      )}
    </>
  );
}

function QuarantineDialog(props: {
  ids: SuiteIds;
  cases: readonly CaseToExcuse[];
  first: string;
  onClose: () => void;
}) {
  const { ids, cases, first, onClose } = props;
  const made = useChange('createEvalQuarantineEntry', ids, {
    readAgain: [allBelow('listEvalQuarantine', ids)],
  });
  const [draft, setDraft] = useState({
    caseId: first,
    model: '',
    owner: '',
    reason: '',
    days: '14',
  });
  const [problem, setProblem] = useState<ReturnType<typeof quarantineDraftProblem>>();
  const submit = () => {
    const found = quarantineDraftProblem(draft, Date.now());
    setProblem(found);
    if (found !== undefined || made.isPending) return;
    made.mutate(quarantineBody(draft, Date.now()), {
      onSuccess: () => {
        onClose();
        notify('The case is in quarantine. Verdicts stay as they are.');
      },
    });
  };
  return (
    <Modal title={title} onClose={onClose}>
      <Form
        label={title}
        problem={made.error?.message}
        attempt={problem ?? made.error}
        onSubmit={submit}
        buttons={
          <>
            <button type="submit" className="primary" disabled={made.isPending}>
              Put into quarantine
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </>
        }
      >
        <p>
          It is played and measured as ever, and verdicts stay. A gate lets a run through if only
          cases in quarantine failed.
        </p>
        <QuarantineFields cases={cases} draft={draft} problem={problem} onEdit={setDraft} />
      </Form>
    </Modal>
  );
}

function QuarantineFields(props: {
  cases: readonly CaseToExcuse[];
  draft: QuarantineDraft;
  problem: ReturnType<typeof quarantineDraftProblem>;
  onEdit: (draft: QuarantineDraft) => void;
}) {
  const { cases, draft, problem, onEdit } = props;
  const problemOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  return (
    <>
      <Field label="Case">
        {(control) => (
          <select
            {...control}
            value={draft.caseId}
            onChange={({ target }) => onEdit({ ...draft, caseId: target.value })}
          >
            {cases.map(({ caseId, name }) => (
              <option key={caseId} value={caseId}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Model" hint="Empty: on every model.">
        {(control) => (
          <input
            {...control}
            maxLength={200}
            value={draft.model}
            onChange={({ target }) => onEdit({ ...draft, model: target.value })}
          />
        )}
      </Field>
      <Field label="Owner" hint="Who repairs it." problem={problemOf('owner')}>
        {(control) => (
          <input
            {...control}
            maxLength={maxQuarantineOwnerLength}
            value={draft.owner}
            onChange={({ target }) => onEdit({ ...draft, owner: target.value })}
          />
        )}
      </Field>
      <Field label="Reason" problem={problemOf('reason')}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={maxQuarantineReasonLength}
            value={draft.reason}
            onChange={({ target }) => onEdit({ ...draft, reason: target.value })}
          />
        )}
      </Field>
      <Field label="Holds for" problem={problemOf('expiresAt')}>
        {(control) => (
          <select
            {...control}
            value={draft.days}
            onChange={({ target }) => onEdit({ ...draft, days: target.value })}
          >
            {quarantineDays.map((days) => (
              <option key={days} value={days}>
                {days === '1' ? '1 day' : `${days} days`}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
