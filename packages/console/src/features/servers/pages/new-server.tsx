/** The page that adds a server: by its address, or the way to one that is started as a program. */
import '../../../kit/styles/server.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useChange } from '../../../kit/data/operations.ts';
import { CancelLink, NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { AddProgram } from '../add-program.tsx';
import { examineNext } from '../examine-next.ts';
import { createBody, emptyDraft } from '../server-draft.ts';
import { ServerForm } from '../server-form.tsx';

const route = '/signed-in/projects/$projectId/servers/new';

export function NewServerPage() {
  const { projectId } = useParams({ from: route });
  const { kind } = useSearch({ from: route });
  return (
    <NewEntityPage
      entity={{ what: 'server', projectId }}
      title="Add a server"
      intro={
        kind === 'program'
          ? 'An MCP server that is started as a program and answers over standard input and output (stdio).'
          : 'An MCP server reached by its address, over Streamable HTTP or SSE. It is examined once it is saved.'
      }
    >
      <nav className="sections" aria-label="Kinds of servers">
        <KindLink projectId={projectId} name="By address" />
        <KindLink projectId={projectId} name="Program" kind="program" />
      </nav>
      {kind === 'program' ? (
        <AddProgram projectId={projectId} />
      ) : (
        <AddByAddress projectId={projectId} />
      )}
    </NewEntityPage>
  );
}

function KindLink(props: { projectId: string; name: string; kind?: 'program' }) {
  const { projectId, name, kind } = props;
  return (
    <Link
      to="/projects/$projectId/servers/new"
      params={{ projectId }}
      search={kind === undefined ? {} : { kind }}
      activeOptions={{ exact: true, includeSearch: true }}
      resetScroll={false}
      data-name={name}
    >
      {name}
    </Link>
  );
}

function AddByAddress({ projectId }: { projectId: string }) {
  const navigate = useNavigate();
  const project = useProject(projectId);
  const create = useChange('createProjectServer', { projectId });
  return (
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
          otherButtons={<CancelLink what="server" projectId={projectId} />}
        />
      )}
    </QueryView>
  );
}
