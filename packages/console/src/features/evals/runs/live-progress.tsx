import type { EvalRun } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { notify } from '../../../kit/notice.tsx';
import type { RunIds } from '../data/eval-runs.ts';

export function LiveProgress(props: {
  run: EvalRun;
  failedSoFar: number;
  /** Whether every trial that did not pass is loaded. */
  isAll: boolean;
}) {
  const { run, failedSoFar, isAll } = props;
  const done = run.iterationCount;
  const total = run.expectedIterations;
  const words =
    total === null
      ? `${count(done, 'trial')} done`
      : `${grouped(done)} of ${count(total, 'trial')} done`;
  return (
    <div className="panel live">
      <p role="status">
        {run.status === 'pending' ? 'Waiting for a worker: ' : ''}
        {words}
        {failedSoFar > 0 && (
          <>
            {', '}
            <b className="tone-fail">{`${isAll ? '' : 'at least '}${grouped(failedSoFar)} failed so far`}</b>
          </>
        )}
        .
      </p>
      {total !== null && total > 0 && (
        <progress value={Math.min(done, total)} max={total} aria-label="Trials done" />
      )}
    </div>
  );
}

export function CancelEvalRun({ ids }: { ids: RunIds }) {
  return (
    <CancelRun
      cancel={useChange('cancelEvalRun', ids, { readAgain: [allBelow('getEvalRun', ids)] })}
    >
      Trials that have not ended are stopped, and a run that is reported from outside takes no more
      of them. What was measured so far is kept.
    </CancelRun>
  );
}

export function CancelRun(props: {
  cancel: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly reset: () => void;
    readonly mutate: (nothing: undefined, then: { onSuccess: () => void }) => void;
  };
  children: ReactNode;
}) {
  const { cancel } = props;
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Cancel run
      </button>
      {asking && (
        <Confirm
          title="Cancel this run?"
          action="Cancel run"
          otherwise="Let it go on"
          busy={cancel.isPending}
          error={cancel.error}
          onClose={close}
          onConfirm={() =>
            cancel.mutate(undefined, {
              onSuccess: () => {
                close();
                notify('The run was cancelled.');
              },
            })
          }
        >
          <p>{props.children}</p>
        </Confirm>
      )}
    </>
  );
}
