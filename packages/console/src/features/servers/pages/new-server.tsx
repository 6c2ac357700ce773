import { useNavigate, useParams } from '@tanstack/react-router';
import { useChange } from '../../../kit/data/operations.ts';
import { CancelLink, NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { examineNext } from '../examine-next.ts';
import { createBody, emptyDraft } from '../server-draft.ts';
import { ServerForm } from '../server-form.tsx';

export function NewServerPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/servers/new' });
  const entity = { what: 'server', projectId } as const;
  const navigate = useNavigate();
  const project = useProject(projectId);
  const create = useChange('createProjectServer', { projectId });
  return (
    <NewEntityPage
      entity={entity}
      title="Add a server"
      intro="An MCP server reached by its address, over Streamable HTTP or SSE. It is examined once it is saved."
      width="narrow"
    >
      <QueryView query={project}>
        {() => (
          <ServerForm
            label="New server"
            start={emptyDraft}
            action="Add server"
            toBody={createBody}
            busy={create.isPending}
            error={create.error}
            onSave={(body) =>
              create.mutate(body, {
                onSuccess: (server) => {
                  notify(`Server ${server.name} added.`);
                  examineNext(server.id);
                  void navigate({
                    to: '/projects/$projectId/servers/$serverId',
                    params: { projectId, serverId: server.id },
                    search: { section: 'doctor' },
                  });
                },
              })
            }
            otherButtons={<CancelLink {...entity} />}
          />
        )}
      </QueryView>
    </NewEntityPage>
  );
}
