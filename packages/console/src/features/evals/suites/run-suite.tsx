/**
 * Launches a run of the suite. If the suite has several environments, the service rejects a launch
 * without one, and the dialog asks for it.
 */
import { ApiError } from '@proofmark/client';
import { readTypedCredits } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Modal } from '../../../kit/modal.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { showWarnings } from '../../../kit/show-warnings.ts';
import { type SuiteIds, useStartRun } from '../data/eval-suites.ts';
import { RunEstimate } from '../run-estimate.tsx';
import { EnvironmentName } from './environment-name.tsx';

export function RunSuite({ ids }: { ids: SuiteIds }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const suite = useOperation('getEvalSuite', ids);
  const start = useStartRun(ids);
  const [limit, setLimit] = useState('');
  const maxCredits = readCreditsLimit(limit);
  const run = (environmentId?: string) =>
    start.mutate(runBody(environmentId, maxCredits), {
      onSuccess: ({ runId, warnings }) => {
        showWarnings(warnings);
        void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId } });
      },
    });
  const isAsked =
    start.error instanceof ApiError && start.error.details['reason'] === 'ENVIRONMENT_REQUIRED';
  const isRefused = start.error !== null && !isAsked;
  return (
    <div className="run-suite">
      <button
        type="button"
        className="primary"
        disabled={start.isPending || maxCredits === 'invalid'}
        onClick={() => run()}
      >
        {start.isPending ? 'Starting…' : 'Run'}
      </button>
      {suite.data !== undefined && suite.data.environmentIds.length < 2 && (
        <RunEstimate ids={ids} maxCredits={knownCredits(maxCredits)} />
      )}
      <CreditsLimit value={limit} isInvalid={maxCredits === 'invalid'} onChange={setLimit} />
      <div role="alert">{isRefused && <Refused error={start.error as Error} />}</div>
      {isAsked && (
        <ChooseEnvironment ids={ids} maxCredits={maxCredits} onChoose={run} onClose={start.reset} />
      )}
    </div>
  );
}

function CreditsLimit(props: {
  value: string;
  isInvalid: boolean;
  onChange: (typed: string) => void;
}) {
  return (
    <details className="credits-limit">
      <summary>Limit its credits</summary>
      <Field
        label="Max credits of this run"
        hint="Judges included. No trial starts if its highest possible cost would exceed the rest. Empty: only the credits of the day count."
        problem={props.isInvalid ? 'Enter a number of credits, as 50 or 2.5.' : undefined}
      >
        {(control) => (
          <input
            {...control}
            className="short"
            inputMode="decimal"
            autoComplete="off"
            value={props.value}
            onChange={(event) => props.onChange(event.target.value)}
          />
        )}
      </Field>
    </details>
  );
}

/** The typed limit. Undefined if the field is empty. */
type TypedCredits = number | 'invalid' | undefined;

function knownCredits(typed: TypedCredits): number | undefined {
  return typed === 'invalid' ? undefined : typed;
}

function readCreditsLimit(typed: string): TypedCredits {
  const text = typed.trim();
  if (text === '') return undefined;
  return readTypedCredits(text) ?? 'invalid';
}

function runBody(environmentId: string | undefined, maxCredits: TypedCredits) {
  return {
    ...(environmentId !== undefined && { environmentId }),
    ...(typeof maxCredits === 'number' && { maxCredits }),
  };
}

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
  maxCredits: TypedCredits;
  onChoose: (environmentId: string) => void;
  onClose: () => void;
}) {
  const { ids, onChoose, onClose } = props;
  const suite = useOperation('getEvalSuite', ids);
  const [chosen, setChosen] = useState<string>();
  return (
    <Modal title="Environment of the run" onClose={onClose}>
      <QueryView query={suite}>
        {({ environmentIds }) => (
          <Form
            label="Environment of the run"
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
                  <EnvironmentName ids={{ projectId: ids.projectId, environmentId }} />
                </label>
              </p>
            ))}
            {chosen !== undefined && (
              <RunEstimate
                ids={ids}
                maxCredits={knownCredits(props.maxCredits)}
                environmentId={chosen}
              />
            )}
          </Form>
        )}
      </QueryView>
    </Modal>
  );
}
