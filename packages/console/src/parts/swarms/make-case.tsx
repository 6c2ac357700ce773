/** A session becomes a case of a suite, so that what happened in it can be run again and decide. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunIds } from '../../data/eval-runs.ts';
import { useEvalSuites } from '../../data/eval-suites.ts';
import { useMakeCase } from '../../data/session-case.ts';
import { CopyText } from '../copy-text.tsx';
import { Checkbox, Field } from '../field.tsx';
import { Form } from '../form.tsx';
import { Modal } from '../modal.tsx';
import { notify } from '../notice.tsx';
import { QueryView } from '../query-view.tsx';

interface CaseProps {
  readonly ids: RunIds;
  readonly sessionId: string;
}

const title = 'Make it an eval case';

export function MakeCase(props: CaseProps) {
  const [isAsking, setIsAsking] = useState(false);
  const suites = useEvalSuites(props.ids.projectId);
  const close = () => setIsAsking(false);
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        {title}
      </button>
      {isAsking && (
        <Modal title={title} onClose={close}>
          <QueryView query={suites}>
            {(all) =>
              all.length === 0 ? (
                <NoSuite onClose={close} />
              ) : (
                <ChooseSuite {...props} suites={all} onClose={close} />
              )
            }
          </QueryView>
        </Modal>
      )}
    </>
  );
}

function NoSuite({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>A case stands in a suite, and this project has none. Import one, then come back:</p>
      <CopyText block text="proofmark suite import my-suite.yaml" label="Copy the command" />
      <div className="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

function ChooseSuite(
  props: CaseProps & {
    suites: readonly { readonly id: string; readonly name: string }[];
    onClose: () => void;
  },
) {
  const { ids, suites } = props;
  const { projectId } = ids;
  const navigate = useNavigate();
  const make = useMakeCase(ids, props.sessionId);
  const [suiteId, setSuiteId] = useState(suites[0]?.id ?? '');
  const [expectCalls, setExpectCalls] = useState(false);
  const submit = () =>
    make.mutate(
      { suiteId, expectCalls },
      {
        onSuccess: (made) => {
          notify(`Case ${made.title} made.`);
          const params = { projectId, suiteId };
          void navigate({ to: '/projects/$projectId/suites/$suiteId', params });
        },
      },
    );
  return (
    <Form
      label={title}
      problem={make.error?.message}
      attempt={make.error}
      onSubmit={() => !make.isPending && submit()}
      buttons={
        <>
          <button type="submit" className="primary" disabled={make.isPending}>
            Make case
          </button>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
        </>
      }
    >
      <p>What the user said becomes its prompts, and every criterion one of its checks.</p>
      <Field label="Suite">
        {(control) => (
          <select {...control} value={suiteId} onChange={({ target }) => setSuiteId(target.value)}>
            {suites.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </Form>
  );
}
