import type { EvalRun } from '@proofmark/contract';
import type { RerunScope } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { showWarnings } from '../../../kit/show-warnings.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { RunEstimate } from '../run-estimate.tsx';
import { rerunOffers, rerunWords } from './rerun-offers.ts';

export function RerunEvalRun({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const rerun = useChange('rerunEvalRun', (scope: RerunScope) => ({ ...ids, body: { scope } }), {
    readAgain: [allBelow('listEvalSuites', { projectId: ids.projectId })],
  });
  const [scope, setScope] = useState<RerunScope>();
  const close = () => {
    setScope(undefined);
    rerun.reset();
  };
  return (
    <>
      {rerunOffers(run).map((offered) => (
        <button key={offered} type="button" onClick={() => setScope(offered)}>
          {rerunWords[offered].action}
        </button>
      ))}
      {scope !== undefined && (
        <Confirm
          title={`${rerunWords[scope].action}?`}
          action={rerunWords[scope].action}
          isHarmless
          busy={rerun.isPending}
          error={rerun.error}
          onClose={close}
          onConfirm={() =>
            rerun.mutate(scope, {
              onSuccess: ({ runId, warnings }) => {
                close();
                showWarnings(warnings);
                void navigate({
                  to: '/projects/$projectId/runs/$runId',
                  params: { projectId, runId },
                });
              },
            })
          }
        >
          <p>
            {`A new run begins: ${rerunWords[scope].plays}, with all its repetitions, from the suite as it is now and on the servers or in the environment of this run.`}
          </p>
          {scope !== 'all' && <p className="hint">The whole suite would be:</p>}
          <RunEstimate
            ids={{ projectId, suiteId: run.suiteId }}
            environmentId={run.environment?.id}
          />
        </Confirm>
      )}
    </>
  );
}
