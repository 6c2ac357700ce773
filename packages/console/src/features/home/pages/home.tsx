import '../home.css';
import type { Home } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { useWholeList } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryFailure } from '../../../kit/query-view.tsx';
import { useHome } from '../data/home.ts';
import { DecisionList } from '../decision-list.tsx';
import { FailingList } from '../failing-list.tsx';
import { FindingCounts } from '../finding-counts.tsx';
import { FirstSteps } from '../first-steps.tsx';
import { homeHeadline, homeIntro } from '../home-words.ts';
import { LatestRunTable, RunningList } from '../run-lists.tsx';

export function HomePage() {
  const home = useHome();
  const { data } = home;
  const headline = data && homeHeadline(data);
  return (
    <PageFrame
      title="Home"
      heading={
        headline && (
          <>
            <span className={`tone-${headline.tone}`}>{headline.word}</span>
            {headline.word.endsWith(':') && ' '}
            {headline.rest}
          </>
        )
      }
      intro={data && homeIntro(data)}
    >
      {home.error !== null && data !== undefined && (
        <p className="stale" role="status">
          Not up to date: the service has not answered since{' '}
          <InstantText atMs={home.dataUpdatedAt} />. {home.error.message}
        </p>
      )}
      {home.error !== null && data === undefined && (
        <QueryFailure
          error={home.error}
          busy={home.isFetching}
          onRetry={() => void home.refetch()}
        />
      )}
      {data === undefined && home.error === null && (
        <p className="loading" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && <HomeSections home={data} />}
    </PageFrame>
  );
}

function HomeSections({ home }: { home: Home }) {
  return (
    <>
      {home.firstStart && <FirstSteps home={home} />}
      <FailingList failing={home.failing} />
      <DecisionList decisions={home.decisions} />
      <FindingCounts findings={home.findings} />
      <RunningList running={home.running} />
      <LatestRunTable latest={home.latest} />
      <ProjectLinks />
    </>
  );
}

function ProjectLinks() {
  const { data } = useWholeList('listProjects', {});
  return (
    <section aria-labelledby="home-projects">
      <h2 id="home-projects">Your projects</h2>
      <ul className="link-row">
        {data?.slice(0, mostProjects).map(({ id, name }) => (
          <li key={id}>
            <Link to="/projects/$projectId" params={{ projectId: id }}>
              {name}
            </Link>
          </li>
        ))}
        {data !== undefined && data.length > mostProjects && (
          <li>
            <Link to="/projects">{`and ${data.length - mostProjects} more`}</Link>
          </li>
        )}
        <li>
          <Link to="/projects/new">New project</Link>
        </li>
      </ul>
    </section>
  );
}

const mostProjects = 12;
