import type { OutputOf } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { keyOf } from '../../kit/data/address-key.ts';
import { client } from '../../kit/data/client.ts';
import { usePages, useSeveral } from '../../kit/data/operations.ts';
import { Checkbox } from '../../kit/field.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { FindingRow } from '../insights/index.ts';
import { useJourneys } from './data/swarms.ts';

export function FindingsSection({ projectId }: { projectId: string }) {
  const [withAll, setWithAll] = useState(false);
  const findings = usePages('listSwarmFindings', {
    projectId,
    ...(!withAll && { dismissed: 'false' as const }),
  });
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <p className="intro">
        Problems of servers, tools and targets in runs of journeys. The same problem stays one
        finding over time. Faults of a provider, a set-up or Proofmark are not counted.
      </p>
      <Checkbox
        label="Show dismissed and resolved findings"
        checked={withAll}
        onChange={setWithAll}
      />
      <QueryView query={findings}>
        {(read) => {
          const shown = withAll ? read : read.filter(({ status }) => status !== 'resolved');
          if (shown.length === 0) return <p className="hint">No findings.</p>;
          return (
            <>
              <ul className="findings">
                {shown.map((finding) => (
                  <li key={finding.id} className="finding-row">
                    <Finding projectId={projectId} finding={finding} />
                    <WhereItHappened projectId={projectId} finding={finding} />
                  </li>
                ))}
              </ul>
              {findings.hasNextPage && (
                <button
                  type="button"
                  disabled={findings.isFetchingNextPage}
                  onClick={() => void findings.fetchNextPage()}
                >
                  {findings.isFetchingNextPage ? 'Loading…' : 'Load more findings'}
                </button>
              )}
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

function Finding({ projectId, finding }: { projectId: string; finding: SwarmFinding }) {
  const { affected, sliceTotal, exemplars, patterns } = finding.evidence;
  const sessions = count(sliceTotal, 'session');
  return (
    <FindingRow
      finding={finding}
      figures={`${grouped(affected)} of ${sessions} · ${count(finding.occurrenceCount, 'wave')}`}
      lastSeen={<LastWave projectId={projectId} finding={finding} />}
      mostFrequent={patterns.length === 0 ? undefined : <Patterns patterns={patterns} />}
      evidence={exemplars.map(({ runId, sessionId, reason }, at) => (
        <li key={sessionId}>
          <Link
            to="/projects/$projectId/journey-runs/$runId/sessions/$sessionId"
            params={{ projectId, runId, sessionId }}
          >
            {`Session in which it happened, ${at + 1}`}
          </Link>
          {reason !== undefined && <p className="foreign-text excerpt">{reason}</p>}
        </li>
      ))}
      dismissing={useDismissFinding({ projectId, id: finding.id })}
    />
  );
}

function WhereItHappened({ projectId, finding }: { projectId: string; finding: SwarmFinding }) {
  const { journeyId } = finding;
  const { data: journeys } = useJourneys(projectId);
  const journey = journeys?.find(({ id }) => id === journeyId);
  const [exemplar] = finding.evidence.exemplars;
  return (
    <p className="finding-where">
      {journeyId === null ? (
        'Several journeys'
      ) : journey === undefined ? (
        journeys && 'Archived journey'
      ) : (
        <>
          {'Journey: '}
          <Link to="/projects/$projectId/journeys/$journeyId" params={{ projectId, journeyId }}>
            <bdi>{journey.name}</bdi>
          </Link>
        </>
      )}
      {exemplar !== undefined && (
        <>
          {' · '}
          <Link
            to="/projects/$projectId/journey-runs/$runId/sessions/$sessionId"
            params={{ projectId, runId: exemplar.runId, sessionId: exemplar.sessionId }}
            aria-label={`Transcript that shows: ${finding.title}`}
          >
            Transcript
          </Link>
        </>
      )}
    </p>
  );
}

function Patterns({ patterns }: Pick<SwarmFinding['evidence'], 'patterns'>) {
  return patterns.map(({ pattern, affected }) => (
    <p key={pattern}>
      <span className="foreign-text">{pattern}</span>
      <span className="hint">{` in ${count(affected, 'session')}`}</span>
    </p>
  ));
}

function LastWave({ projectId, finding }: { projectId: string; finding: SwarmFinding }) {
  return (
    <Link
      to="/projects/$projectId/waves/$waveId"
      params={{ projectId, waveId: finding.lastSeenWaveId }}
    >
      <InstantText atMs={finding.lastSeenAt} />
    </Link>
  );
}

type SwarmFinding = OutputOf<'listSwarmFindings'>['items'][number];

function useDismissFinding({ projectId, id: findingId }: { projectId: string; id: string }) {
  return useSeveral(
    (dismiss: boolean) =>
      dismiss
        ? client.dismissSwarmFinding({ projectId, findingId })
        : client.undismissSwarmFinding({ projectId, findingId }),
    [keyOf('listSwarmFindings', { projectId })],
  );
}
