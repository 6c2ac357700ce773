/** Starts a run. Where the suite has several environments, the service says so and one is asked for. */
import { ApiError } from '@proofmark/client';
import { estimateWords } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import {
  type SuiteIds,
  useEvalSuiteDetail,
  useRunEstimate,
  useStartRun,
} from '../../data/eval-suites.ts';
import { Form } from '../form.tsx';
import { Modal } from '../modal.tsx';
import { QueryView } from '../query-view.tsx';
import { tellWarnings } from '../tell-warnings.ts';

export function RunSuite({ ids }: { ids: SuiteIds }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const suite = useEvalSuiteDetail(ids);
  const start = useStartRun(ids);
  const run = (environmentId?: string) =>
    start.mutate(environmentId === undefined ? {} : { environmentId }, {
      onSuccess: ({ runId, warnings }) => {
        tellWarnings(warnings);
        void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId } });
      },
    });
  const isAsked =
    start.error instanceof ApiError && start.error.details['reason'] === 'ENVIRONMENT_REQUIRED';
  const isRefused = start.error !== null && !isAsked;
  return (
    <div className="run-suite">
      <button type="button" className="primary" disabled={start.isPending} onClick={() => run()}>
        {start.isPending ? 'Starting…' : 'Run'}
      </button>
      {suite.data !== undefined && suite.data.environmentIds.length < 2 && <Estimate ids={ids} />}
      <div role="alert">{isRefused && <Refused error={start.error as Error} />}</div>
      {isAsked && <ChooseEnvironment ids={ids} onChoose={run} onClose={start.reset} />}
    </div>
  );
}

/** How many trials on which models, what they cost and what is left of today. */
function Estimate({ ids, environmentId }: { ids: SuiteIds; environmentId?: string }) {
  const { data } = useRunEstimate(ids, environmentId);
  return data === undefined ? null : (
    <p className="hint estimate">{estimateWords(data).join(' ')}</p>
  );
}

/** With the models that could be run in place of the one that cannot, where the service names them. */
function Refused({ error }: { error: Error }) {
  const named = error instanceof ApiError ? error.details['hostedModels'] : undefined;
  const models = Array.isArray(named) ? named.filter((one) => typeof one === 'string') : [];
  return (
    <>
      <p className="form-problem">{error.message}</p>
      {models.length > 0 && (
        <div className="hosted-models">
          <p className="hint">Models that can be run here:</p>
          <ul>
            {models.map((model) => (
              <li key={model} className="code">
                {model}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function ChooseEnvironment(props: {
  ids: SuiteIds;
  onChoose: (environmentId: string) => void;
  onClose: () => void;
}) {
  const { ids, onChoose, onClose } = props;
  const suite = useEvalSuiteDetail(ids);
  const environments = useEnvironments(ids.projectId);
  const [chosen, setChosen] = useState<string>();
  return (
    <Modal title="Run in which environment?" onClose={onClose}>
      <QueryView query={suite}>
        {({ environmentIds }) => (
          <Form
            label="Run in which environment?"
            problem={undefined}
            attempt={null}
            onSubmit={() => chosen !== undefined && onChoose(chosen)}
            buttons={
              <>
                <button type="submit" className="primary" disabled={chosen === undefined}>
                  Run
                </button>
                <button type="button" onClick={onClose}>
                  Cancel
                </button>
              </>
            }
          >
            {environmentIds.map((environmentId) => (
              <p key={environmentId} className="check">
                <label>
                  <input
                    type="radio"
                    name="environment"
                    checked={chosen === environmentId}
                    onChange={() => setChosen(environmentId)}
                  />{' '}
                  {environments.data?.find(({ id }) => id === environmentId)?.name ?? environmentId}
                </label>
              </p>
            ))}
            {chosen !== undefined && <Estimate ids={ids} environmentId={chosen} />}
          </Form>
        )}
      </QueryView>
    </Modal>
  );
}
