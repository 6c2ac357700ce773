import '../styles/workbench.css';
import '../styles/swarms.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useProject } from '../data/projects.ts';
import { type Journey, useArchiveJourney, useJourney, usePersona } from '../data/swarms.ts';
import { notify } from '../parts/notice.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { ArchiveEntity } from '../parts/swarms/archive-entity.tsx';
import { JourneySettings } from '../parts/swarms/journey-settings.tsx';

const route = '/signed-in/projects/$projectId/journeys/$journeyId';

export function JourneyDetailPage() {
  const ids = useParams({ from: route });
  const journey = useJourney(ids.projectId, ids.journeyId);
  const { data: project } = useProject(ids.projectId);
  return (
    <PageFrame
      title={journey.data?.name ?? 'Journey'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="swarms" />}
      intro={journey.data && <Who journey={journey.data} />}
      actions={
        tierAllows(project?.role, 'member') && journey.data ? (
          <Archive journey={journey.data} />
        ) : undefined
      }
    >
      <QueryView query={journey}>{(found) => <JourneySettings journey={found} />}</QueryView>
    </PageFrame>
  );
}

function Who({ journey }: { journey: Journey }) {
  const { projectId, personaId } = journey;
  const { data: persona } = usePersona(projectId, personaId);
  return (
    <>
      <Link to="/projects/$projectId/personas/$personaId" params={{ projectId, personaId }}>
        {persona?.name ?? 'Persona'}
      </Link>
      {`: ${journey.goal}`}
    </>
  );
}

function Archive({ journey }: { journey: Journey }) {
  const { projectId } = journey;
  const navigate = useNavigate();
  const archive = useArchiveJourney(projectId, journey.id, () => {
    notify(`Journey ${journey.name} archived.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'swarms' },
    });
  });
  return (
    <ArchiveEntity what="journey" name={journey.name} archive={archive}>
      <p>It can no longer be run or read. Its runs stay, and one under way goes on.</p>
    </ArchiveEntity>
  );
}
