import './swarms.css';
import { count } from '@proofmark/domain';
import { waveName } from '@proofmark/report';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type SwarmIds, type UnfinishedWave, useLaunchWave } from './data/launch-wave.ts';
import type { Journey } from './data/swarms.ts';
import { WaveEstimate } from './launch-estimate.tsx';

export function RunTogether(props: SwarmIds & { journeys: readonly Journey[] }) {
  const { projectId, journeys } = props;
  const navigate = useNavigate();
  const { launch, unfinished, forget } = useLaunchWave(props);
  const isUnfinished = unfinished !== undefined && !launch.isPending;
  const start = () =>
    launch.mutate(journeys, {
      onSuccess: ({ waveId, notStarted }) => {
        if (notStarted.length > 0) return;
        void navigate({
          to: '/projects/$projectId/waves/$waveId',
          params: { projectId, waveId },
        });
      },
    });
  return (
    <>
      <div role="alert" className="unfinished-wave">
        {isUnfinished && (
          <Unfinished projectId={projectId} unfinished={unfinished} journeys={journeys.length}>
            {launch.data?.notStarted.map(({ journey, why }) => (
              <p key={journey.id} className="form-problem">
                <bdi>{journey.name}</bdi>
                {` was not started: ${why}`}
              </p>
            ))}
          </Unfinished>
        )}
      </div>
      <button type="button" className="primary" disabled={launch.isPending} onClick={start}>
        {launch.isPending ? 'Starting…' : isUnfinished ? 'Start the rest' : 'Run all'}
      </button>
      {isUnfinished && (
        <button type="button" onClick={forget}>
          Leave the rest
        </button>
      )}
      <WaveEstimate journeys={journeys} />
    </>
  );
}

function Unfinished(props: {
  projectId: string;
  unfinished: UnfinishedWave;
  journeys: number;
  children: ReactNode;
}) {
  const { projectId, journeys } = props;
  const { waveId, started } = props.unfinished;
  return (
    <>
      {props.children}
      <p>
        {`${started} of ${count(journeys, 'journey')} started`}
        {started > 0 && (
          <>
            {' in '}
            <Link to="/projects/$projectId/waves/$waveId" params={{ projectId, waveId }}>
              {waveName(waveId) ?? 'one wave'}
            </Link>
          </>
        )}
        {'. What has started is not started again in it.'}
      </p>
    </>
  );
}
