import '../../../kit/styles/estimate.css';
import type { EvalRun } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChooseOne } from '../../../kit/choose-one.tsx';
import { Checkbox } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Modal } from '../../../kit/modal.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { showWarnings } from '../../../kit/show-warnings.ts';
import { ModelField } from '../../models/index.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { useRunEstimate, useStartRun } from '../data/eval-suites.ts';
import { useRunTrials } from '../data/run-trials.ts';
import {
  type RecordedTrials,
  type ReplayChoice,
  recordedTrials,
  replayBody,
  replayCosts,
  replayForms,
} from './replay-words.ts';

const title = 'Replay this run';

interface DialogProps {
  readonly ids: RunIds;
  readonly run: EvalRun;
  readonly onClose: () => void;
}

export function ReplayDialog({ ids, run, onClose }: DialogProps) {
  // If this run is itself a replay, the recording of the original run is used.
  const origin = { ...ids, runId: run.replay?.runId ?? run.id };
  const trials = useRunTrials(origin, run, { result: 'all' });
  return (
    <Modal title={title} onClose={onClose}>
      <QueryView query={trials}>
        {(read) => {
          const recorded = recordedTrials(read, !trials.hasNextPage);
          return recorded.why === undefined ? (
            <ReplayForms ids={ids} run={run} recorded={recorded} onClose={onClose} />
          ) : (
            <>
              <p>{recorded.why}</p>
              <div className="actions">
                <button type="button" onClick={onClose}>
                  Close
                </button>
              </div>
            </>
          );
        }}
      </QueryView>
    </Modal>
  );
}

function ReplayForms(props: DialogProps & { recorded: RecordedTrials }) {
  const { ids, run, onClose } = props;
  const { projectId } = ids;
  const navigate = useNavigate();
  const start = useStartRun({ projectId, suiteId: run.suiteId });
  const [choice, setChoice] = useState<ReplayChoice>({ form: 'servers', goesOn: false, model: '' });
  const { form, goesOn, model } = choice;
  const environmentId = run.environment?.id;
  const launch = () =>
    start.mutate(
      { ...replayBody(run.id, choice), ...(environmentId !== undefined && { environmentId }) },
      {
        onSuccess: ({ runId, warnings }) => {
          onClose();
          showWarnings(warnings);
          void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId } });
        },
      },
    );
  return (
    <Form
      label={title}
      problem={start.error?.message}
      attempt={start.error}
      onSubmit={() => !start.isPending && launch()}
      buttons={
        <>
          <button type="submit" className="primary" disabled={start.isPending}>
            {start.isPending ? 'Starting…' : 'Replay'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </>
      }
    >
      <p>
        A new run begins, from the suite as it is now. If a trial diverges from its recording, the
        first difference is shown.
      </p>
      <ChooseOne
        legend="Replayed parts"
        options={replayForms}
        chosen={form}
        onChoose={(next) => setChoice({ ...choice, form: next })}
      />
      {form === 'model' && (
        <ModelField
          hint="Plays all cases on it. Empty: the models of the suite."
          value={model}
          onChange={(next) => setChoice({ ...choice, model: next })}
        />
      )}
      <Checkbox
        label="Continue live if a trial diverges"
        hint="Otherwise the trial ends there without a result."
        checked={goesOn}
        onChange={(next) => setChoice({ ...choice, goesOn: next })}
      />
      <Costs ids={ids} run={run} choice={choice} recorded={props.recorded} />
    </Form>
  );
}

function Costs(props: {
  ids: RunIds;
  run: EvalRun;
  choice: ReplayChoice;
  recorded: RecordedTrials;
}) {
  const { ids, run, choice, recorded } = props;
  const suite = { projectId: ids.projectId, suiteId: run.suiteId };
  const { data, error } = useRunEstimate(suite, {
    ...replayBody(run.id, choice),
    environmentId: run.environment?.id,
  });
  const { plays, asks, costs } = replayCosts(choice, recorded, data);
  return (
    <dl className="estimate" aria-label="Estimate of the replay">
      <div>
        <dt>Trials</dt>
        <dd>{plays}</dd>
      </div>
      <div>
        <dt>Live parts</dt>
        <dd>{asks}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          {costs.length === 0 && error !== null ? `Not known. ${error.message}` : costs.join(' ')}
        </dd>
      </div>
    </dl>
  );
}
