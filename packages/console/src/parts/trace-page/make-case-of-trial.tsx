/** A trial becomes a case of a suite, so that what happened in it is tested from now on. */
import { cleanText } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type EvalTrial, type RunIds, useEvalRun } from '../../data/eval-runs.ts';
import { useAddCase, useEvalSuites } from '../../data/eval-suites.ts';
import { caseOfTrial } from '../../evals/case-of-trial.ts';
import type { ConversationTurn } from '../../evals/read-conversation.ts';
import { Checkbox, Field } from '../field.tsx';
import { Form } from '../form.tsx';
import { Modal } from '../modal.tsx';
import { notify } from '../notice.tsx';
import { QueryView } from '../query-view.tsx';

interface Props {
  readonly ids: RunIds;
  readonly trial: EvalTrial;
  readonly turns: readonly ConversationTurn[];
}

const title = 'Make a case of this';

export function MakeCaseOfTrial(props: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const run = useEvalRun(props.ids);
  if (caseOfTrial(props.turns, { title, expectCalls: false }) === undefined) return null;
  const close = () => setIsAsking(false);
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        {title}
      </button>
      {isAsking && (
        <Modal title={title} onClose={close}>
          <QueryView query={run}>
            {({ suiteId }) => <CaseForm {...props} ofSuite={suiteId} onClose={close} />}
          </QueryView>
        </Modal>
      )}
    </>
  );
}

function CaseForm(props: Props & { ofSuite: string; onClose: () => void }) {
  const { ids, trial, turns } = props;
  const { projectId } = ids;
  const navigate = useNavigate();
  const suites = useEvalSuites(projectId);
  const [suiteId, setSuiteId] = useState(props.ofSuite);
  const [name, setName] = useState(
    `${cleanText(trial.title ?? 'Trial', false).slice(0, 150)}, as in trial ${trial.iterationNumber}`,
  );
  const [expectCalls, setExpectCalls] = useState(trial.result === 'passed');
  const add = useAddCase({ projectId, suiteId });
  const submit = () => {
    const body = caseOfTrial(turns, { title: name.trim(), expectCalls });
    if (body === undefined || add.isPending || name.trim() === '') return;
    add.mutate(body, {
      onSuccess: (made) => {
        notify(`Case ${made.title} made.`);
        void navigate({
          to: '/projects/$projectId/suites/$suiteId',
          params: { projectId, suiteId },
        });
      },
    });
  };
  return (
    <Form
      label={title}
      problem={add.error?.message}
      attempt={add.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={add.isPending}>
            Make case
          </button>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
        </>
      }
    >
      <p>What the user said becomes its prompts; calls that no model chose are made again.</p>
      <Field label="Name" problem={name.trim() === '' ? 'Give it a name.' : undefined}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Suite">
        {(control) => (
          <select {...control} value={suiteId} onChange={({ target }) => setSuiteId(target.value)}>
            {(suites.data ?? [{ id: suiteId, name: 'The suite of this run' }]).map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had. Leave it out where they were wrong."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </Form>
  );
}
