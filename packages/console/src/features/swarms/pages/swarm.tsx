import type { ProjectEnvironment } from '@proofmark/contract';
import { Link, useParams } from '@tanstack/react-router';
import { forForm, useChange, useOperation, useWholeList } from '../../../kit/data/operations.ts';
import { together } from '../../../kit/data/together.ts';
import { AddJourneys } from '../add-journeys.tsx';
import { readSwarm, swarmEdit, swarmFields } from '../bodies.ts';
import { EditForm } from '../body-forms.tsx';
import type { Swarm } from '../data/swarms.ts';
import { statedFields } from '../draft-of-body.ts';
import { JourneysPage } from '../journeys-page.tsx';
import { RunTogether } from '../run-together.tsx';
import { SwarmFields } from '../swarm-fields.tsx';

export function SwarmDetailPage() {
  const { projectId, swarmId } = useParams({
    from: '/signed-in/projects/$projectId/swarms/$swarmId',
  });
  const swarm = useOperation('getSwarm', { projectId, swarmId }, forForm);
  const parts = together({ swarm, environments: useWholeList('listEnvironments', { projectId }) });
  return (
    <JourneysPage
      archive="archiveSwarm"
      projectId={projectId}
      title="Swarm"
      intro={swarm.data?.description ?? undefined}
      item={swarm.data}
      query={parts}
      belongs={(journey) => journey.swarmId === swarmId}
      newJourney={{ swarm: swarmId }}
      none="This swarm has no journeys yet."
      archiving={() => 'Its journeys stay and can be run as before.'}
      more={(journeys) => (
        <>
          {journeys.length > 0 && (
            <RunTogether
              key={swarmId}
              projectId={projectId}
              swarmId={swarmId}
              journeys={journeys}
            />
          )}
          <AddJourneys projectId={projectId} swarmId={swarmId} />
          <Link
            to="/projects/$projectId/drafts"
            params={{ projectId }}
            search={{ swarm: swarmId }}
            className="button"
          >
            Draft journeys
          </Link>
        </>
      )}
      settings={(found) => <Edit key={swarmId} {...found} onSaved={() => void swarm.refetch()} />}
    />
  );
}

function Edit(props: {
  swarm: Swarm;
  environments: readonly ProjectEnvironment[];
  onSaved: () => void;
}) {
  const { swarm, environments, onSaved } = props;
  return (
    <EditForm
      what="swarm"
      saved={statedFields(swarm, swarmFields)}
      read={readSwarm}
      shown={swarmFields}
      editOf={(body) => swarmEdit(swarm, body)}
      update={useChange('updateSwarm', { projectId: swarm.projectId, swarmId: swarm.id })}
      onSaved={onSaved}
    >
      {(draft, problems, onChange) => (
        <SwarmFields
          draft={draft}
          problems={problems}
          onChange={onChange}
          environments={environments}
        />
      )}
    </EditForm>
  );
}
