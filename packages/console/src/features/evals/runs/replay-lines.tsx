import type { EvalRun } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { type EvalTrial, type RunIds, useEvalRun } from '../data/eval-runs.ts';
import { replayOutcome, replaySides } from './replay-words.ts';

export function ReplayLines(props: {
  ids: RunIds;
  replay: NonNullable<EvalRun['replay']>;
  trials: readonly EvalTrial[];
}) {
  const { ids, replay, trials } = props;
  const { projectId } = ids;
  const origin = useEvalRun({ projectId, runId: replay.runId });
  const first = trials.find(({ divergence }) => divergence !== undefined);
  return (
    <p className="about-run" data-replay>
      {'A replay of '}
      {origin.error === null ? (
        <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId: replay.runId }}>
          {origin.data === undefined ? 'an earlier run' : `run ${origin.data.runNumber}`}
        </Link>
      ) : (
        'a run that is gone'
      )}
      {`: ${replaySides(replay)}. `}
      <bdi>{cleanText(replayOutcome(replay).join(' '), false)}</bdi>
      {first !== undefined && (
        <>
          {' '}
          <Link
            to="/projects/$projectId/runs/$runId/trials/$trialId"
            params={{ ...ids, trialId: first.id }}
          >
            The first trial that did
          </Link>
        </>
      )}
    </p>
  );
}
