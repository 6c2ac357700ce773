import '../../../kit/styles/run.css';
import '../../../kit/styles/suite.css';
import '../../../kit/styles/workbench.css';
import '../swarms.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { forForm, useChange, useOperation } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { ArchiveEntity } from '../archive-entity.tsx';
import { journeyEdit, journeyFields, readJourneyEdit } from '../bodies.ts';
import { EditForm } from '../body-forms.tsx';
import { useJourneyChoices } from '../data/journey-choices.ts';
import type { JourneyIds } from '../data/journey-runs.ts';
import type { Journey } from '../data/swarms.ts';
import { statedFields } from '../draft-of-body.ts';
import { JourneyFields, journeyFieldNames } from '../journey-fields.tsx';
import { JourneyRuns } from '../journey-runs.tsx';

const route = '/signed-in/projects/$projectId/journeys/$journeyId';

export function JourneyDetailPage() {
  const ids = useParams({ from: route });
  const { section } = useSearch({ from: route });
  const journey = useOperation(
    'getJourney',
    { projectId: ids.projectId, journeyId: ids.journeyId },
    forForm,
  );
  const { data: project } = useProject(ids.projectId);
  const mayWrite = tierAllows(project?.role, 'member');
  return (
    <PageFrame
      title={journey.data?.name ?? 'Journey'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="swarms" />}
      intro={journey.data && <Who journey={journey.data} />}
      actions={
        mayWrite && journey.data ? (
          <ArchiveEntity archive="archiveJourney" item={journey.data}>
            The journey can no longer be run or read. Its runs stay, and a run in progress
            continues.
          </ArchiveEntity>
        ) : undefined
      }
    >
      <QueryView query={journey}>
        {(found) => (
          <>
            <JourneySections ids={ids} />
            {section === 'settings' ? (
              <JourneySettings journey={found} />
            ) : (
              <JourneyRuns journey={found} mayRun={mayWrite} />
            )}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function JourneySections({ ids }: { ids: JourneyIds }) {
  return (
    <nav className="sections" aria-label="Sections of this journey">
      {(['Runs', 'Settings'] as const).map((name) => (
        <Link
          key={name}
          to="/projects/$projectId/journeys/$journeyId"
          params={ids}
          search={name === 'Runs' ? {} : { section: 'settings' }}
          activeOptions={{ exact: name === 'Runs', includeSearch: true }}
          resetScroll={false}
          data-name={name}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function Who({ journey }: { journey: Journey }) {
  const { projectId, personaId } = journey;
  const { data: persona } = useOperation('getPersona', { projectId, personaId }, forForm);
  return (
    <>
      <Link to="/projects/$projectId/personas/$personaId" params={{ projectId, personaId }}>
        {persona?.name ?? 'Persona'}
      </Link>
      {`: ${journey.goal}`}
    </>
  );
}

/** The persona is omitted, because it cannot be changed. */
function JourneySettings({ journey }: { journey: Journey }) {
  const { projectId, id: journeyId } = journey;
  const choices = useJourneyChoices(projectId);
  const update = useChange('updateJourney', { projectId, journeyId });
  const { refetch } = useOperation('getJourney', { projectId, journeyId }, forForm);
  return (
    <>
      <p className="intro">Runs that were launched keep what was set at that moment.</p>
      <QueryView query={choices}>
        {(all) => (
          <EditForm
            key={journey.updatedAt}
            what="journey"
            saved={statedFields(journey, journeyFields)}
            read={readJourneyEdit}
            shown={journeyFieldNames}
            editOf={(body) => journeyEdit(journey, body)}
            update={update}
            onSaved={() => void refetch()}
          >
            {(draft, problems, onChange) => (
              <JourneyFields draft={draft} problems={problems} onChange={onChange} choices={all} />
            )}
          </EditForm>
        )}
      </QueryView>
    </>
  );
}
