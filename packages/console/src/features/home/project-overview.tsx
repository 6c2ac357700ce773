import './home.css';
import type { Home } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FactList } from '../../kit/fact-list.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { useHome } from './data/home.ts';
import { DecisionList } from './decision-list.tsx';
import { FailingList } from './failing-list.tsx';
import { FindingLinks } from './finding-counts.tsx';
import { moreWords } from './home-words.ts';
import { RunningList, VerdictTable } from './run-lists.tsx';

export function ProjectOverview(props: {
  projectId: string;
  facts: readonly (readonly [string, ReactNode])[];
}) {
  return (
    <QueryView query={useHome(props.projectId)}>
      {(home) => (
        <>
          <FactList facts={[...factsOf(home), ...props.facts]} />
          <FailingList failing={home.failing} />
          <DecisionList decisions={home.decisions} />
          <RunningList running={home.running} />
          <VerdictTable latest={home.latest} />
        </>
      )}
    </QueryView>
  );
}

function factsOf({ findings, schedules }: Home): (readonly [string, ReactNode])[] {
  const [counts] = findings.items;
  return [
    ['Open findings', counts === undefined ? 'none' : <FindingLinks key="found" counts={counts} />],
    ['Next scheduled runs', <NextRuns key="next" schedules={schedules} />],
  ];
}

function NextRuns({ schedules }: { schedules: Home['schedules'] }) {
  if (schedules.total === 0) return 'none';
  const nearest = schedules.items.slice(0, mostShown);
  const more = moreWords({ total: schedules.total, items: nearest });
  return (
    <ul className="home-plain">
      {nearest.map(({ projectId, suiteId, suiteName, nextRunAt }) => (
        <li key={suiteId}>
          <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
            <bdi>{suiteName}</bdi>
          </Link>
          {', '}
          <InstantText atMs={nextRunAt} />
        </li>
      ))}
      {more !== undefined && <li className="hint">{more}</li>}
    </ul>
  );
}

const mostShown = 3;
