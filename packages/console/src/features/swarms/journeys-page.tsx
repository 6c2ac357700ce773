import '../../kit/styles/workbench.css';
import './swarms.css';
import { tierAllows } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageFrame } from '../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../kit/frame/use-project.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { type Archived, ArchiveEntity, type ArchiveId } from './archive-entity.tsx';
import { type Journey, useJourneys } from './data/swarms.ts';
import { LatestRun } from './latest-run.tsx';

export function JourneysPage<Data>(props: {
  archive: ArchiveId;
  projectId: string;
  title: string;
  intro?: string | undefined;
  item: Archived | undefined;
  query: Parameters<typeof QueryView<Data>>[0]['query'];
  belongs: (journey: Journey) => boolean;
  newJourney: { readonly persona?: string; readonly swarm?: string };
  none: string;
  /** Returns the effect of archiving, or why it is not possible. */
  archiving: (journeyCount: number) => string;
  more?: (journeys: readonly Journey[]) => ReactNode;
  settings: (data: NonNullable<Data>) => ReactNode;
}) {
  const { archive, projectId, item } = props;
  const { data: all } = useJourneys(projectId);
  const { data: project } = useProject(projectId);
  const mayWrite = tierAllows(project?.role, 'member');
  const journeys = (all ?? []).filter(props.belongs);
  return (
    <PageFrame
      title={item?.name ?? props.title}
      crumbs={<ProjectCrumbs projectId={projectId} section="swarms" />}
      intro={props.intro}
      actions={
        mayWrite && item ? (
          <ArchiveEntity archive={archive} item={item}>
            {props.archiving(journeys.length)}
          </ArchiveEntity>
        ) : undefined
      }
    >
      <QueryView query={props.query}>
        {(found) => (
          <>
            <section aria-labelledby="journeys">
              <div className="section-head">
                <h2 id="journeys">Journeys</h2>
                {mayWrite && (
                  <div className="actions">
                    {props.more?.(journeys)}
                    <Link
                      to="/projects/$projectId/journeys/new"
                      params={{ projectId }}
                      search={props.newJourney}
                      className="button"
                    >
                      New journey
                    </Link>
                  </div>
                )}
              </div>
              {all !== undefined && <JourneyNames journeys={journeys} none={props.none} />}
            </section>
            <section aria-labelledby="settings">
              <h2 id="settings">Settings</h2>
              {props.settings(found)}
            </section>
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function JourneyNames({ journeys, none }: { journeys: readonly Journey[]; none: string }) {
  if (journeys.length === 0) return <p className="hint">{none}</p>;
  return (
    <ul className="plain-list">
      {journeys.map((journey) => (
        <li key={journey.id} className="listed-journey">
          <Link
            to="/projects/$projectId/journeys/$journeyId"
            params={{ projectId: journey.projectId, journeyId: journey.id }}
          >
            {journey.name}
          </Link>
          <LatestRun journey={journey} />
        </li>
      ))}
    </ul>
  );
}
