/**
 * The dialog that tries a suite with other tool texts (an overlay). The suite runs with and without
 * the overlay, so that both runs use the same cases and servers. Comparing with the existing run
 * costs half, but assumes that nothing else has changed.
 */
import type { EvalRun } from '@proofmark/contract';
import { countsForSuite, type SurfaceOverlay } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../../kit/copy-text.tsx';
import { readOnce, useOperation } from '../../../kit/data/operations.ts';
import { Checkbox, Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Modal } from '../../../kit/modal.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { showWarnings } from '../../../kit/show-warnings.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { useRunTrials } from '../data/run-trials.ts';
import { useLaunchWhatIf } from '../data/what-if.ts';
import { RunEstimate } from '../run-estimate.tsx';
import { draftsOfOverlay, type ListedTool, listedTools, overlayOfDrafts } from './overlay-draft.ts';
import { OverlayFields } from './overlay-fields.tsx';

const title = 'Other words for models';

interface DialogProps {
  readonly ids: RunIds;
  readonly run: EvalRun;
  readonly overlay: SurfaceOverlay | undefined;
  readonly onClose: () => void;
}

export function WhatIfDialog(props: DialogProps) {
  const { ids, run } = props;
  const trials = useRunTrials(ids, run, { result: 'all' });
  // Prefers a trial with a result, because such a trial certainly has a stored tool list.
  const seen = trials.data?.find(({ result }) => result !== null) ?? trials.data?.[0];
  const tools = useOperation(
    'getEvalIterationTools',
    { ...ids, iterationId: seen?.id ?? '' },
    { enabled: seen !== undefined, ...readOnce },
  );
  const listed = tools.data && listedTools(tools.data.servers);
  const isWithout = tools.error !== null || trials.data?.length === 0 || listed?.length === 0;
  return (
    <Modal title={title} onClose={props.onClose}>
      {isWithout ? (
        <>
          <p>Which tools this run saw is not known: no list of them was kept.</p>
          <div className="actions">
            <button type="button" onClick={props.onClose}>
              Close
            </button>
          </div>
        </>
      ) : (
        <QueryView query={tools}>
          {() => listed !== undefined && <WhatIfForm {...props} listed={listed} />}
        </QueryView>
      )}
    </Modal>
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, from what is typed to the request that it makes.
function WhatIfForm(props: DialogProps & { listed: readonly ListedTool[] }) {
  const { ids, run, listed, onClose } = props;
  const { projectId } = ids;
  const navigate = useNavigate();
  const launch = useLaunchWhatIf(projectId);
  const [drafts, setDrafts] = useState(() => draftsOfOverlay(props.overlay, listed));
  const [typed, setTyped] = useState('');
  const [isBesideThis, setIsBesideThis] = useState(false);
  const overlay = overlayOfDrafts(drafts);
  const times = readTimes(typed);
  // A replay or a run with another overlay cannot be the base, because the difference would have
  // further causes.
  const mayBeBase = countsForSuite(run);
  const base = mayBeBase && isBesideThis ? run : undefined;
  const iterationOverride = times === 'invalid' ? undefined : times;
  const environmentId = run.environment?.id;
  const submit = () => {
    if (overlay === undefined || times === 'invalid' || launch.isPending) return;
    const body = {
      suiteId: run.suiteId,
      ...(environmentId !== undefined && { environmentId }),
      ...(iterationOverride !== undefined && { iterationOverride }),
    };
    launch.mutate(
      { body, overlay, base },
      {
        onSuccess: ({ warnings, ...both }) => {
          onClose();
          showWarnings(warnings);
          void navigate({
            to: '/projects/$projectId/runs/$runId/compare/$baseRunId',
            params: { projectId, ...both },
          });
        },
      },
    );
  };
  return (
    <Form
      label={title}
      problem={launch.error?.message}
      attempt={launch.error}
      onSubmit={submit}
      buttons={
        <>
          <button
            type="submit"
            className="primary"
            disabled={overlay === undefined || times === 'invalid' || launch.isPending}
          >
            {launch.isPending ? 'Starting…' : base ? 'Run and compare' : 'Run both and compare'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          {overlay === undefined && <span className="hint">Nothing is changed yet.</span>}
        </>
      }
    >
      <p>
        Models see the texts that you write here instead of the texts that servers list. Servers do
        not see them and are called by their own names.
      </p>
      <OverlayFields listed={listed} drafts={drafts} onChange={setDrafts} />
      {overlay !== undefined && (
        <details className="overlay-file">
          <summary>As a file for proofmark eval whatif</summary>
          <CopyText text={JSON.stringify(overlay, null, 2)} label="Copy the overlay" block />
        </details>
      )}
      <fieldset>
        <legend>Trials</legend>
        <Field
          label="Trials of each case"
          hint="Empty: as many as the suite says. With fewer than five graded trials on a side, no difference is reported."
          problem={times === 'invalid' ? 'Enter a number from 1 to 100.' : undefined}
        >
          {(control) => (
            <input
              {...control}
              className="short"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {mayBeBase && (
          <Checkbox
            label={`Compare with run ${run.runNumber} instead of a new run`}
            hint="Costs half. Changes of the suite, the servers or the model since that run are then attributed to the overlay."
            checked={isBesideThis}
            onChange={setIsBesideThis}
          />
        )}
        <p className="hint">
          {base === undefined
            ? 'Two runs begin, one with these words and one without. Each of them:'
            : 'One run begins, with these words:'}
        </p>
        <RunEstimate
          ids={{ projectId, suiteId: run.suiteId }}
          environmentId={environmentId}
          iterationOverride={iterationOverride}
        />
      </fieldset>
    </Form>
  );
}

function readTimes(typed: string): number | 'invalid' | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  return /^([1-9]\d?|100)$/.test(text) ? Number(text) : 'invalid';
}
