import '../../../kit/styles/workbench.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { forForm, useChange, useOperation, useWholeList } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { Fact } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import type { ServerGroup } from '../data/environment-choices.ts';
import { UsedBy } from '../used-by.tsx';

export function ServerGroupDetailPage() {
  const { projectId, groupId } = useParams({
    from: '/signed-in/projects/$projectId/server-groups/$groupId',
  });
  const group = useOperation(
    'getServerAttachment',
    { projectId, serverAttachmentId: groupId },
    forForm,
  );
  const servers = useWholeList('listProjectServers', { projectId });
  const { data: project } = useProject(projectId);
  return (
    <PageFrame
      title={group.data?.name ?? 'Server group'}
      crumbs={<ProjectCrumbs projectId={projectId} section="server-groups" />}
      actions={
        group.data && tierAllows(project?.role, 'manage') ? (
          <Delete group={group.data} />
        ) : undefined
      }
    >
      <QueryView query={group}>
        {({ serverIds, createdAt }) => (
          <dl className="facts">
            <Fact name={`Servers (${serverIds.length})`}>
              <ul className="plain-list">
                {serverIds.map((serverId) => (
                  <li key={serverId}>
                    <Link
                      to="/projects/$projectId/servers/$serverId"
                      params={{ projectId, serverId }}
                    >
                      {servers.data?.find(({ id }) => id === serverId)?.name ?? serverId}
                    </Link>
                  </li>
                ))}
              </ul>
            </Fact>
            <Fact name="Created">
              <InstantText atMs={createdAt} />
            </Fact>
          </dl>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Delete({ group }: { group: ServerGroup }) {
  const navigate = useNavigate();
  const { projectId } = group;
  const remove = useChange(
    'deleteServerAttachment',
    { projectId, serverAttachmentId: group.id },
    {
      leave: () => {
        notify(`Server group ${group.name} deleted.`);
        return navigate({
          to: '/projects/$projectId',
          params: { projectId },
          search: { section: 'server-groups' },
        });
      },
    },
  );
  return (
    <DeleteEntity what="server group" name={group.name} remove={remove}>
      <UsedBy
        projectId={projectId}
        what="this group"
        uses={({ serverAttachmentId }) => serverAttachmentId === group.id}
      />
    </DeleteEntity>
  );
}
