import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useWholeList } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { useEnvironmentsThat, useJourneysThat } from './data/set-up-users.ts';
import { UsedByCell } from './used-by-cell.tsx';

export function ClientsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const environmentsThat = useEnvironmentsThat(project.id);
  const journeysThat = useJourneysThat(project.id);
  return (
    <ListSection
      title="Clients"
      what="clients"
      intro="A client is the program that talks to MCP servers for a person. Environments run one."
      query={useWholeList('listClients', { projectId: project.id })}
      add={
        tierAllows(project.role, 'manage')
          ? (isFirst) => (
              <Link
                to="/projects/$projectId/clients/new"
                params={params}
                className={isFirst ? 'button primary' : 'button'}
              >
                New client
              </Link>
            )
          : undefined
      }
      whoAdds="A manager of this project can add one."
      empty="Start from a template, for example the built-in lexical client, which needs no key."
      columns={['Client', 'Model', 'Servers', 'Used by', 'Updated']}
      row={(client) => (
        <tr key={client.id}>
          <th scope="row">
            <Link
              to="/projects/$projectId/clients/$clientId"
              params={{ ...params, clientId: client.id }}
            >
              {client.name}
            </Link>
          </th>
          <td data-label="Model" className="code">
            {client.modelId}
          </td>
          <td data-label="Servers">{client.serverCount}</td>
          <UsedByCell
            projectId={project.id}
            users={
              environmentsThat &&
              journeysThat && [
                ...environmentsThat(({ hostId }) => hostId === client.id),
                ...journeysThat(({ hostIds }) => hostIds.includes(client.id)),
              ]
            }
          />
          <td data-label="Updated">
            <InstantText atMs={client.updatedAt} />
          </td>
        </tr>
      )}
    />
  );
}
