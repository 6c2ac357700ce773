import { estimateWords } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange, useOperation, useWholeList } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { showWarnings } from '../../kit/show-warnings.ts';
import { useRunEstimate, useStartRun } from '../evals/index.ts';
import type { EnvironmentIds } from './data/environments.ts';

export function RunHere({ ids }: { ids: EnvironmentIds }) {
  const suites = useWholeList('listEvalSuites', { projectId: ids.projectId });
  const [chosen, setChosen] = useState<string>();
  return (
    <section aria-labelledby="run-here">
      <h2 id="run-here">Run a suite here</h2>
      <QueryView query={suites}>
        {(all) => {
          const suiteId = chosen ?? all[0]?.id;
          return suiteId === undefined ? (
            <p className="hint">
              This project has no suite yet.{' '}
              <Link
                to="/projects/$projectId"
                params={{ projectId: ids.projectId }}
                search={{ section: 'evals' }}
              >
                See how one is written
              </Link>
              .
            </p>
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
  const detail = useOperation('getEvalSuite', { projectId, suiteId });
  const isAttached = detail.data?.environmentIds.includes(environmentId) === true;
  const estimate = useRunEstimate({ projectId, suiteId }, { environmentId }, isAttached);
  const attach = useChange(
    'attachEvalSuiteEnvironment',
    (environmentId: string) => ({ projectId, suiteId, body: { environmentId } }),
    { readAgain: [allBelow('listEvalSuites', { projectId })] },
  );
  const start = useStartRun({ projectId, suiteId });
  const failure = start.error ?? attach.error ?? estimate.error ?? detail.error;
  const hint = isAttached
    ? estimate.data && estimateWords(estimate.data).join(' ')
    : detail.data && 'This suite does not run in this environment yet.';
  return (
    <Form
      label="Run a suite here"
      problem={failure?.message}
      attempt={failure}
      onSubmit={() => {
        if (!isAttached) return attach.mutate(environmentId);
        return start.mutate(
          { environmentId },
          {
            onSuccess: ({ runId, warnings }) => {
              showWarnings(warnings);
              void navigate({
                to: '/projects/$projectId/runs/$runId',
                params: { projectId, runId },
              });
            },
          },
        );
      }}
      buttons={
        isAttached ? (
          <button type="submit" disabled={start.isPending || estimate.data === undefined}>
            {start.isPending ? 'Starting…' : 'Run'}
          </button>
        ) : (
          <button type="submit" disabled={attach.isPending || detail.data === undefined}>
            Let it run here
          </button>
        )
      }
    >
      <Field label="Suite" hint={hint}>
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
