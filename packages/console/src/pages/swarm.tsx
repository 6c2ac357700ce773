import '../styles/workbench.css';
import '../styles/swarms.css';
import type { ProjectEnvironment } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEnvironments } from '../data/environments.ts';
import { useProject } from '../data/projects.ts';
import {
  type Swarm,
  useArchiveSwarm,
  useJourneys,
  useSwarm,
  useUpdateSwarm,
} from '../data/swarms.ts';
import { together } from '../data/together.ts';
import { DeleteEntity } from '../parts/delete-entity.tsx';
import { notify } from '../parts/notice.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { EditForm } from '../parts/swarms/body-forms.tsx';
import { JourneyList } from '../parts/swarms/journey-list.tsx';
import { SwarmFields } from '../parts/swarms/swarm-fields.tsx';
import { readSwarm, swarmEdit, swarmFields } from '../swarms/bodies.ts';
import { statedFields } from '../swarms/draft-of-body.ts';

export function SwarmDetailPage() {
  const { projectId, swarmId } = useParams({
    from: '/signed-in/projects/$projectId/swarms/$swarmId',
  });
  const swarm = useSwarm(projectId, swarmId);
  const parts = together({ swarm, environments: useEnvironments(projectId) });
  const journeys = useJourneys(projectId);
  const { data: project } = useProject(projectId);
  return (
    <PageFrame
      title={swarm.data?.name ?? 'Swarm'}
      crumbs={<ProjectCrumbs projectId={projectId} section="swarms" />}
      width="narrow"
      actions={
        tierAllows(project?.role, 'member') && swarm.data ? (
          <Archive swarm={swarm.data} />
        ) : undefined
      }
    >
      <QueryView query={parts}>
        {(found) => (
          <>
            <section aria-labelledby="journeys">
              <div className="section-head">
                <h2 id="journeys">Journeys</h2>
                <Link
                  to="/projects/$projectId/journeys/new"
                  params={{ projectId }}
                  search={{ swarm: swarmId }}
                  className="button"
                >
                  New journey
                </Link>
              </div>
              <JourneyList
                projectId={projectId}
                journeys={(journeys.data ?? []).filter((journey) => journey.swarmId === swarmId)}
                none="No journey stands in this swarm yet."
              />
            </section>
            <section aria-labelledby="settings">
              <h2 id="settings">Settings</h2>
              <Edit key={swarmId} {...found} />
            </section>
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Edit(props: { swarm: Swarm; environments: readonly ProjectEnvironment[] }) {
  const { swarm, environments } = props;
  const { refetch } = useSwarm(swarm.projectId, swarm.id);
  return (
    <EditForm
      what="swarm"
      saved={statedFields(swarm, swarmFields)}
      read={readSwarm}
      shown={swarmFields}
      editOf={(body) => swarmEdit(swarm, body)}
      update={useUpdateSwarm(swarm.projectId, swarm.id)}
      onSaved={() => void refetch()}
    >
      {(draft, problems, onChange) => (
        <SwarmFields {...{ draft, problems, onChange }} environments={environments} />
      )}
    </EditForm>
  );
}

function Archive({ swarm }: { swarm: Swarm }) {
  const { projectId } = swarm;
  const navigate = useNavigate();
  const archive = useArchiveSwarm(projectId, swarm.id, () => {
    notify(`Swarm ${swarm.name} archived.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'swarms' },
    });
  });
  return (
    <DeleteEntity verb="Archive" what="swarm" name={swarm.name} remove={archive}>
      <p>Its journeys stay and can be run as before.</p>
    </DeleteEntity>
  );
}
