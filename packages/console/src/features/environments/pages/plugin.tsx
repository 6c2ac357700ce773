import '../../../kit/styles/workbench.css';
import type { PluginDetail } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { forForm, useChange, useOperation } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { ContentHash } from '../content-hash.tsx';
import { NewPluginVersion } from '../new-plugin-version.tsx';
import { UsedBy } from '../used-by.tsx';
import { versionName } from '../version-words.ts';

export function PluginDetailPage() {
  const { projectId, pluginId } = useParams({
    from: '/signed-in/projects/$projectId/plugins/$pluginId',
  });
  const plugin = useOperation('getPlugin', { projectId, pluginId }, forForm);
  const { data: project } = useProject(projectId);
  const [making, setMaking] = useState(false);
  const mayEdit = tierAllows(project?.role, 'manage');
  return (
    <PageFrame
      title={plugin.data?.displayName ?? plugin.data?.name ?? 'Plugin'}
      crumbs={<ProjectCrumbs projectId={projectId} section="plugins" />}
      intro={plugin.data?.description || undefined}
      actions={mayEdit && plugin.data ? <Delete plugin={plugin.data} /> : undefined}
    >
      <QueryView query={plugin}>
        {(found) => (
          <section aria-labelledby="versions">
            <div className="section-head">
              <h2 id="versions">Versions</h2>
              {mayEdit && (
                <button type="button" onClick={() => setMaking(true)}>
                  New version
                </button>
              )}
            </div>
            <Versions plugin={found} />
            {making && <NewPluginVersion plugin={found} onClose={() => setMaking(false)} />}
          </section>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Versions({ plugin }: { plugin: PluginDetail }) {
  const newestFirst = [...plugin.versions].sort((one, other) => other.createdAt - one.createdAt);
  const { projectId } = plugin;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Servers</th>
          <th scope="col">Skills</th>
          <th scope="col">Details</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {newestFirst.map((version) => (
          <tr key={version.id}>
            <th scope="row">
              {versionName(version)}
              {version.id === plugin.activeVersionId && <span className="tag">active</span>}
            </th>
            <td data-label="Servers">
              <ul className="plain-list">
                {version.servers.map(({ componentId, declaredName, materializedServerId }) => (
                  <li key={componentId}>
                    <Link
                      to="/projects/$projectId/servers/$serverId"
                      params={{ projectId, serverId: materializedServerId }}
                    >
                      <bdi>{declaredName}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </td>
            <td data-label="Skills">
              <ul className="plain-list">
                {version.skills.map(({ componentId, declaredName, materializedSkillId }) => (
                  <li key={componentId}>
                    <Link
                      to="/projects/$projectId/skills/$skillId"
                      params={{ projectId, skillId: materializedSkillId }}
                    >
                      <bdi>{declaredName}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </td>
            <td data-label="Details">
              <ContentHash hash={version.bundleHash} />
            </td>
            <td data-label="Created">
              <InstantText atMs={version.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Delete({ plugin }: { plugin: PluginDetail }) {
  const navigate = useNavigate();
  const { projectId } = plugin;
  const remove = useChange(
    'deletePlugin',
    { projectId, pluginId: plugin.id },
    {
      leave: () => {
        notify(`Plugin ${plugin.name} deleted.`);
        return navigate({
          to: '/projects/$projectId',
          params: { projectId },
          search: { section: 'plugins' },
        });
      },
    },
  );
  const ids = plugin.versions.map(({ id }) => id);
  return (
    <DeleteEntity what="plugin" name={plugin.name} remove={remove}>
      <p>All its versions go with it; the servers and skills in them stay.</p>
      <UsedBy
        projectId={projectId}
        what="this plugin"
        uses={({ pluginVersionIds }) => pluginVersionIds?.some((id) => ids.includes(id)) ?? false}
      />
    </DeleteEntity>
  );
}
