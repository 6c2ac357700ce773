import type { Project, ProjectEnvironment } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useWholeList } from '../../kit/data/operations.ts';
import { Checkbox } from '../../kit/field.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { type UserOfPart, useUsersOfEnvironments } from './data/set-up-users.ts';
import { UsedByCell } from './used-by-cell.tsx';

type NamedList = readonly { readonly id: string; readonly name: string }[] | undefined;

export function EnvironmentsSection(props: { project: Project; withArchived: boolean }) {
  const { project, withArchived } = props;
  const navigate = useNavigate();
  const params = { projectId: project.id };
  const clients = useWholeList('listClients', { projectId: project.id });
  const groups = useWholeList('listServerAttachments', { projectId: project.id });
  const users = useUsersOfEnvironments(project.id);
  return (
    <ListSection
      title="Environments"
      what="environments"
      intro="The setting of a run: a client, the servers it may talk to, and the skills and plugins it has."
      query={useWholeList('listEnvironments', {
        projectId: project.id,
        ...(withArchived && { includeArchived: 'true' as const }),
      })}
      add={
        tierAllows(project.role, 'admin')
          ? (isFirst) => (
              <Link
                to="/projects/$projectId/environments/new"
                params={params}
                className={isFirst ? 'button primary' : 'button'}
              >
                New environment
              </Link>
            )
          : undefined
      }
      whoAdds="An admin of this project can add one."
      empty={'Choose the servers, and a client that talks to them.'}
      extra={
        <>
          <Checkbox
            label="Show archived ones too"
            checked={withArchived}
            onChange={(checked) =>
              void navigate({
                to: '/projects/$projectId',
                params,
                search: { section: 'environments', ...(checked && { archived: true as const }) },
                replace: true,
                resetScroll: false,
              })
            }
          />
          {users.left > 0 && (
            <p className="hint">
              {`“Used by” asked the newest suites alone; ${users.left} more may use one.`}
            </p>
          )}
        </>
      }
      columns={['Environment', 'Client', 'Servers', 'Model', 'Used by', 'Updated']}
      row={(environment) => (
        <EnvironmentRow
          key={environment.id}
          environment={environment}
          clients={clients.data}
          groups={groups.data}
          users={users.isKnown ? users.usersOf(environment.id) : undefined}
        />
      )}
    />
  );
}

/** `clients`, `groups` and `users` are undefined until they are loaded. */
function EnvironmentRow(props: {
  environment: ProjectEnvironment;
  clients: NamedList;
  groups: NamedList;
  users: readonly UserOfPart[] | undefined;
}) {
  const { environment } = props;
  const { projectId } = environment;
  return (
    <tr className={environment.archived ? 'over' : undefined}>
      <th scope="row">
        <Link
          to="/projects/$projectId/environments/$environmentId"
          params={{ projectId, environmentId: environment.id }}
        >
          {environment.name}
        </Link>
        {environment.archived && <span className="tag">archived</span>}
        {environment.description && <p className="hint">{environment.description}</p>}
      </th>
      <td data-label="Client">
        <bdi>{nameIn(props.clients, environment.hostId)}</bdi>
      </td>
      <td data-label="Servers">
        {environment.serverAttachmentId === undefined ? (
          'those of the client'
        ) : (
          <bdi>{nameIn(props.groups, environment.serverAttachmentId)}</bdi>
        )}
      </td>
      <td data-label="Model" className={environment.modelId === undefined ? undefined : 'code'}>
        {environment.modelId ?? 'that of the client'}
      </td>
      <UsedByCell projectId={projectId} users={props.users} />
      <td data-label="Updated">
        <InstantText atMs={environment.updatedAt} />
      </td>
    </tr>
  );
}

function nameIn(list: NamedList, id: string): string {
  return list === undefined ? '…' : (list.find((one) => one.id === id)?.name ?? 'no longer there');
}
