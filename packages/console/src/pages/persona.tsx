import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useProject } from '../data/projects.ts';
import {
  type Persona,
  useArchivePersona,
  useJourneys,
  usePersona,
  useUpdatePersona,
} from '../data/swarms.ts';
import { DeleteEntity } from '../parts/delete-entity.tsx';
import { notify } from '../parts/notice.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { EditForm } from '../parts/swarms/body-forms.tsx';
import { JourneyList } from '../parts/swarms/journey-list.tsx';
import { PersonaFields } from '../parts/swarms/persona-fields.tsx';
import { personaEdit, personaFields, readPersona } from '../swarms/bodies.ts';
import { statedFields } from '../swarms/draft-of-body.ts';

export function PersonaDetailPage() {
  const { projectId, personaId } = useParams({
    from: '/signed-in/projects/$projectId/personas/$personaId',
  });
  const persona = usePersona(projectId, personaId);
  const journeys = useJourneys(projectId);
  const { data: project } = useProject(projectId);
  const mayWrite = tierAllows(project?.role, 'member');
  const theirs = (journeys.data ?? []).filter((journey) => journey.personaId === personaId);
  return (
    <PageFrame
      title={persona.data?.name ?? 'Persona'}
      crumbs={<ProjectCrumbs projectId={projectId} section="swarms" />}
      intro={persona.data?.role}
      width="narrow"
      actions={
        mayWrite && persona.data ? (
          <Archive persona={persona.data} journeyCount={theirs.length} />
        ) : undefined
      }
    >
      <QueryView query={persona}>
        {(found) => (
          <>
            <Edit key={found.id} persona={found} />
            <section aria-labelledby="journeys">
              <div className="section-head">
                <h2 id="journeys">Journeys</h2>
                <Link
                  to="/projects/$projectId/journeys/new"
                  params={{ projectId }}
                  search={{ persona: personaId }}
                  className="button"
                >
                  New journey
                </Link>
              </div>
              <JourneyList
                projectId={projectId}
                journeys={theirs}
                none="They pursue no goal yet."
              />
            </section>
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Edit({ persona }: { persona: Persona }) {
  const { refetch } = usePersona(persona.projectId, persona.id);
  return (
    <EditForm
      what="persona"
      saved={statedFields(persona, personaFields)}
      read={readPersona}
      shown={personaFields}
      editOf={(body) => personaEdit(persona, body)}
      update={useUpdatePersona(persona.projectId, persona.id)}
      onSaved={() => void refetch()}
    >
      {(draft, problems, onChange) => <PersonaFields {...{ draft, problems, onChange }} />}
    </EditForm>
  );
}

function Archive({ persona, journeyCount }: { persona: Persona; journeyCount: number }) {
  const { projectId } = persona;
  const navigate = useNavigate();
  const archive = useArchivePersona(projectId, persona.id, () => {
    notify(`Persona ${persona.name} archived.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'swarms' },
    });
  });
  return (
    <DeleteEntity verb="Archive" what="persona" name={persona.name} remove={archive}>
      <p>
        {journeyCount === 0
          ? 'Runs that were played by this persona stay as they are.'
          : 'Journeys still name this persona. Archive them first.'}
      </p>
    </DeleteEntity>
  );
}
