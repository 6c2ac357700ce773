import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useWholeList } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { usePluginsWithVersions } from './data/plugins.ts';
import { useEnvironmentsThat } from './data/set-up-users.ts';
import { UsedByCell } from './used-by-cell.tsx';
import { contentsWords, versionName } from './version-words.ts';

const whoAdds = 'A manager of this project can add one.';
const buttonClass = (isFirst: boolean) => (isFirst ? 'button primary' : 'button');

export function ServerGroupsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const environmentsThat = useEnvironmentsThat(project.id);
  const servers = useWholeList('listProjectServers', { projectId: project.id });
  return (
    <ListSection
      title="Server groups"
      what="server groups"
      intro="A named group of servers, fixed when it is made. An environment may use one in place of its client’s servers."
      query={useWholeList('listServerAttachments', { projectId: project.id })}
      add={
        tierAllows(project.role, 'manage')
          ? (isFirst) => (
              <Link
                to="/projects/$projectId/server-groups/new"
                params={params}
                className={buttonClass(isFirst)}
              >
                New server group
              </Link>
            )
          : undefined
      }
      whoAdds={whoAdds}
      empty="Group servers that are tested together."
      columns={['Server group', 'Servers', 'Used by', 'Created']}
      row={({ id, name, serverIds, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link
              to="/projects/$projectId/server-groups/$groupId"
              params={{ ...params, groupId: id }}
            >
              {name}
            </Link>
          </th>
          <td data-label="Servers">
            {serverIds
              .map((one) => servers.data?.find((server) => server.id === one)?.name ?? '…')
              .join(', ')}
          </td>
          <UsedByCell
            projectId={project.id}
            users={environmentsThat?.(({ serverAttachmentId }) => serverAttachmentId === id)}
          />
          <td data-label="Created">
            <InstantText atMs={createdAt} />
          </td>
        </tr>
      )}
    />
  );
}

export function SkillsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const environmentsThat = useEnvironmentsThat(project.id);
  return (
    <ListSection
      title="Skills"
      what="skills"
      intro="Named instructions that a client can be given. A new text is a new version; those before stay."
      query={useWholeList('listSkills', { projectId: project.id })}
      add={
        tierAllows(project.role, 'manage')
          ? (isFirst) => (
              <Link
                to="/projects/$projectId/skills/new"
                params={params}
                className={buttonClass(isFirst)}
              >
                New skill
              </Link>
            )
          : undefined
      }
      whoAdds={whoAdds}
      empty="Write down how something is done, and pin it to an environment."
      columns={['Skill', 'Latest version', 'Used by', 'Updated']}
      row={({ id, name, description, latest, updatedAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link to="/projects/$projectId/skills/$skillId" params={{ ...params, skillId: id }}>
              {name}
            </Link>
            {description && <p className="hint">{description}</p>}
          </th>
          <td data-label="Latest version">{latest.number}</td>
          <UsedByCell
            projectId={project.id}
            users={environmentsThat?.(
              ({ skillSelection }) => skillSelection?.skillIds.includes(id) === true,
            )}
          />
          <td data-label="Updated">
            <InstantText atMs={updatedAt} />
          </td>
        </tr>
      )}
    />
  );
}

export function PluginsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const environmentsThat = useEnvironmentsThat(project.id);
  return (
    <ListSection
      title="Plugins"
      what="plugins"
      intro="Servers and skills bundled by version. An environment that uses a version has its servers and skills too."
      query={usePluginsWithVersions(project.id)}
      add={
        tierAllows(project.role, 'manage')
          ? (isFirst) => (
              <Link
                to="/projects/$projectId/plugins/new"
                params={params}
                className={buttonClass(isFirst)}
              >
                New plugin
              </Link>
            )
          : undefined
      }
      whoAdds={whoAdds}
      empty="Bundle servers with the skills that go with them."
      columns={['Plugin', 'Active version', 'Holds', 'Used by', 'Updated']}
      row={(plugin) => {
        const active = plugin.versions.find(({ id }) => id === plugin.activeVersionId);
        return (
          <tr key={plugin.id}>
            <th scope="row">
              <Link
                to="/projects/$projectId/plugins/$pluginId"
                params={{ ...params, pluginId: plugin.id }}
              >
                {plugin.displayName ?? plugin.name}
              </Link>
              {plugin.description && <p className="hint">{plugin.description}</p>}
            </th>
            <td data-label="Active version">
              {active === undefined ? 'none' : versionName(active)}
            </td>
            <td data-label="Holds">{active === undefined ? 'nothing' : contentsWords(active)}</td>
            <UsedByCell
              projectId={project.id}
              users={environmentsThat?.(({ pluginVersionIds = [] }) =>
                plugin.versions.some(({ id }) => pluginVersionIds.includes(id)),
              )}
            />
            <td data-label="Updated">
              <InstantText atMs={plugin.updatedAt} />
            </td>
          </tr>
        );
      }}
    />
  );
}
