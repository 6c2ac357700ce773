import type { Project } from '@proofmark/contract';
import { count, tierAllows } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { useOperation, useWholeList } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { useJourneys } from './data/swarms.ts';
import { FindingsSection } from './findings-section.tsx';
import { LatestRun } from './latest-run.tsx';
import { LatestRuns } from './latest-runs.tsx';

export function SwarmsSection({ project }: { project: Project }) {
  return (
    <QueryView query={useOperation('getProjectCapabilities', { projectId: project.id })}>
      {({ features }) =>
        features.swarms.enabled ? (
          <>
            <p className="intro">
              Simulated people talk to your servers. A persona is a kind of user, a journey is a
              goal that it pursues, and a swarm is a folder of journeys.
            </p>
            <FindingsSection projectId={project.id} />
            <LatestRuns projectId={project.id} />
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
        text={`proofmark admin set-feature ${organizationId} swarms on`}
        label="Copy the command"
      />
    </Empty>
  );
}

type SectionProps<Item extends { id: string; name: string }> = Omit<
  ComponentProps<typeof ListSection<Item>>,
  'add' | 'whoAdds'
>;

const newPages = {
  journey: '/projects/$projectId/journeys/new',
  persona: '/projects/$projectId/personas/new',
  swarm: '/projects/$projectId/swarms/new',
} as const;

function MemberList<Item extends { id: string; name: string }>({
  project,
  one,
  isDrafted = false,
  ...list
}: SectionProps<Item> & { project: Project; one: keyof typeof newPages; isDrafted?: boolean }) {
  const params = { projectId: project.id };
  const links = (isFirst: boolean) => (
    <div className="actions">
      {isDrafted && (
        <Link to="/projects/$projectId/drafts" params={params} className="button">
          Draft from tools
        </Link>
      )}
      <Link to={newPages[one]} params={params} className={isFirst ? 'button primary' : 'button'}>
        {`New ${one}`}
      </Link>
    </div>
  );
  return (
    <ListSection<Item>
      {...list}
      add={tierAllows(project.role, 'member') ? links : undefined}
      whoAdds="A member of this project can add one."
    />
  );
}

function Journeys({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const personas = useWholeList('listPersonas', { projectId: project.id });
  return (
    <MemberList
      project={project}
      one="journey"
      isDrafted
      title="Journeys"
      what="journeys"
      intro="A goal that a persona pursues. A run plays it in conversations with the assistant of each target."
      query={useJourneys(project.id)}
      empty={
        personas.data?.length === 0
          ? 'Draft personas and journeys from the tools of an environment, or write them.'
          : 'Say what somebody tries to get done, and where.'
      }
      columns={['Journey', 'Latest run', 'Persona', 'Targets', 'Checks']}
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
          <td data-label="Latest run">
            <LatestRun journey={journey} />
          </td>
          <td data-label="Persona">
            <bdi>{personas.data?.find(({ id }) => id === journey.personaId)?.name ?? '…'}</bdi>
          </td>
          <td data-label="Targets" className="figures">
            {journey.environmentIds.length > 0
              ? count(journey.environmentIds.length, 'environment')
              : count(journey.hostIds.length, 'client')}
          </td>
          <td data-label="Checks" className="figures">
            {journey.rubric.length}
          </td>
        </tr>
      )}
    />
  );
}

function Personas({ project }: { project: Project }) {
  const params = { projectId: project.id };
  return (
    <MemberList
      project={project}
      one="persona"
      isDrafted
      title="Personas"
      what="personas"
      intro="Kinds of users. A simulated user plays them."
      query={useWholeList('listPersonas', { projectId: project.id })}
      empty="Say who uses your servers."
      columns={['Persona', 'Role', 'Updated']}
      row={({ id: personaId, name, role, updatedAt }) => (
        <tr key={personaId}>
          <th scope="row">
            <Link to="/projects/$projectId/personas/$personaId" params={{ ...params, personaId }}>
              {name}
            </Link>
          </th>
          <td data-label="Role">
            <bdi>{role}</bdi>
          </td>
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
    <MemberList
      project={project}
      one="swarm"
      title="Swarms"
      what="swarms"
      intro="Folders of journeys, with values that a new journey starts with."
      query={useWholeList('listSwarms', { projectId: project.id })}
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
