/** Launches a suite in this environment, after saying what the run would do. */
import { estimateWords } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { EnvironmentIds } from '../../data/environments.ts';
import { useEvalSuites, useRunEstimate, useStartRun } from '../../data/eval-suites.ts';
import { Field } from '../field.tsx';
import { Form } from '../form.tsx';
import { QueryView } from '../query-view.tsx';
import { tellWarnings } from '../tell-warnings.ts';

export function RunHere({ ids }: { ids: EnvironmentIds }) {
  const suites = useEvalSuites(ids.projectId);
  const [chosen, setChosen] = useState<string>();
  return (
    <section aria-labelledby="run-here" className="narrow">
      <h2 id="run-here">Run a suite here</h2>
      <QueryView query={suites}>
        {(all) => {
          const suiteId = chosen ?? all[0]?.id;
          return suiteId === undefined ? (
            <p className="hint">This project has no suite yet.</p>
          ) : (
            <LaunchHere
              key={suiteId}
              ids={ids}
              suiteId={suiteId}
              suites={all}
              onChoose={setChosen}
            />
          );
        }}
      </QueryView>
    </section>
  );
}

function LaunchHere(props: {
  ids: EnvironmentIds;
  suiteId: string;
  suites: readonly { readonly id: string; readonly name: string }[];
  onChoose: (suiteId: string) => void;
}) {
  const { suiteId } = props;
  const { projectId, environmentId } = props.ids;
  const navigate = useNavigate();
  const estimate = useRunEstimate({ projectId, suiteId }, environmentId);
  const start = useStartRun({ projectId, suiteId });
  const problem = start.error?.message ?? estimate.error?.message;
  return (
    <Form
      label="Run a suite here"
      problem={problem}
      attempt={start.error}
      onSubmit={() =>
        start.mutate(
          { environmentId },
          {
            onSuccess: ({ runId, warnings }) => {
              tellWarnings(warnings);
              void navigate({
                to: '/projects/$projectId/runs/$runId',
                params: { projectId, runId },
              });
            },
          },
        )
      }
      buttons={
        <button type="submit" disabled={start.isPending || estimate.data === undefined}>
          {start.isPending ? 'Starting…' : 'Run'}
        </button>
      }
    >
      <Field
        label="Suite"
        hint={estimate.data === undefined ? undefined : estimateWords(estimate.data).join(' ')}
      >
        {(control) => (
          <select
            {...control}
            value={suiteId}
            onChange={(event) => props.onChoose(event.target.value)}
          >
            {props.suites.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  );
}
