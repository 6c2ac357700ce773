/** Simulated people of a project: what they try to get done, who they are, and the folders journeys stand in. */
import type { Project } from '@proofmark/contract';
import { count, tierAllows } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCapabilities } from '../../data/capabilities.ts';
import { useJourneys, usePersonas, useSwarms } from '../../data/swarms.ts';
import { CopyText } from '../copy-text.tsx';
import { InstantText } from '../instant-text.tsx';
import { Empty, QueryView } from '../query-view.tsx';
import { FindingsSection } from '../swarms/findings-section.tsx';
import { ListSection } from './list-section.tsx';

const whoAdds = 'A member of this project can add one.';
const buttonClass = (isFirst: boolean) => (isFirst ? 'button primary' : 'button');

export function SwarmsSection({ project }: { project: Project }) {
  return (
    <QueryView query={useCapabilities(project.id)}>
      {({ features }) =>
        features.swarms.enabled ? (
          <>
            <FindingsSection projectId={project.id} />
            <Journeys project={project} />
            <Personas project={project} />
            <Swarms project={project} />
          </>
        ) : (
          <SwitchedOff organizationId={project.organizationId} />
        )
      }
    </QueryView>
  );
}

function SwitchedOff({ organizationId }: { organizationId: string }) {
  return (
    <Empty title="Swarms are switched off">
      <p>Simulated people talk to your servers. The operator switches this on:</p>
      <CopyText
        block
        text={`npx proofmark admin set-feature ${organizationId} swarms on`}
        label="Copy the command"
      />
    </Empty>
  );
}

function mayAdd<Shown extends ReactNode>(project: Project, link: (isFirst: boolean) => Shown) {
  return tierAllows(project.role, 'member') ? link : undefined;
}

function Journeys({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const personas = usePersonas(project.id);
  return (
    <ListSection
      title="Journeys"
      what="journeys"
      intro="A goal that a persona pursues. A run plays it in conversations with the assistant of each target."
      query={useJourneys(project.id)}
      add={mayAdd(project, (isFirst) => (
        <Link
          to="/projects/$projectId/journeys/new"
          params={params}
          className={buttonClass(isFirst)}
        >
          New journey
        </Link>
      ))}
      whoAdds={whoAdds}
      empty={
        personas.data?.length === 0
          ? 'It needs a persona: create one first.'
          : 'Say what somebody tries to get done, and where.'
      }
      columns={['Journey', 'Persona', 'Targets', 'Criteria', 'Updated']}
      row={(journey) => (
        <tr key={journey.id}>
          <th scope="row">
            <Link
              to="/projects/$projectId/journeys/$journeyId"
              params={{ ...params, journeyId: journey.id }}
            >
              {journey.name}
            </Link>
          </th>
          <td data-label="Persona">
            {personas.data?.find(({ id }) => id === journey.personaId)?.name ?? '…'}
          </td>
          <td data-label="Targets" className="figures">
            {journey.environmentIds.length > 0
              ? count(journey.environmentIds.length, 'environment')
              : count(journey.hostIds.length, 'client')}
          </td>
          <td data-label="Criteria" className="figures">
            {journey.rubric.length}
          </td>
          <td data-label="Updated">
            <InstantText atMs={journey.updatedAt} />
          </td>
        </tr>
      )}
    />
  );
}

function Personas({ project }: { project: Project }) {
  const params = { projectId: project.id };
  return (
    <ListSection
      title="Personas"
      what="personas"
      intro="Kinds of users. A simulated user plays them."
      query={usePersonas(project.id)}
      add={mayAdd(project, (isFirst) => (
        <Link
          to="/projects/$projectId/personas/new"
          params={params}
          className={buttonClass(isFirst)}
        >
          New persona
        </Link>
      ))}
      whoAdds={whoAdds}
      empty="Say who uses your servers."
      columns={['Persona', 'Role', 'Updated']}
      row={({ id: personaId, name, role, updatedAt }) => (
        <tr key={personaId}>
          <th scope="row">
            <Link to="/projects/$projectId/personas/$personaId" params={{ ...params, personaId }}>
              {name}
            </Link>
          </th>
          <td data-label="Role">{role}</td>
          <td data-label="Updated">
            <InstantText atMs={updatedAt} />
          </td>
        </tr>
      )}
    />
  );
}

function Swarms({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const journeys = useJourneys(project.id);
  return (
    <ListSection
      title="Swarms"
      what="swarms"
      intro="Folders of journeys, with values that a new journey starts with."
      query={useSwarms(project.id)}
      add={mayAdd(project, (isFirst) => (
        <Link to="/projects/$projectId/swarms/new" params={params} className={buttonClass(isFirst)}>
          New swarm
        </Link>
      ))}
      whoAdds={whoAdds}
      empty="Keep journeys together that belong together."
      columns={['Swarm', 'Journeys', 'Updated']}
      row={({ id: swarmId, name, description, updatedAt }) => (
        <tr key={swarmId}>
          <th scope="row">
            <Link to="/projects/$projectId/swarms/$swarmId" params={{ ...params, swarmId }}>
              {name}
            </Link>
            {description !== null && <p className="hint">{description}</p>}
          </th>
          <td data-label="Journeys" className="figures">
            {journeys.data?.filter((journey) => journey.swarmId === swarmId).length ?? ''}
          </td>
          <td data-label="Updated">
            <InstantText atMs={updatedAt} />
          </td>
        </tr>
      )}
    />
  );
}
