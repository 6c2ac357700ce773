import '../../../kit/styles/workbench.css';
import type { ClientDetail, ProjectServer } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CopyText } from '../../../kit/copy-text.tsx';
import { forForm, useChange, useOperation, useWholeList } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { FactList } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { ClientEditor } from '../client-editor.tsx';
import type { ClientIds } from '../data/clients.ts';
import { impactWords } from '../impact-words.ts';

export function ClientDetailPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/clients/$clientId' });
  return <OneClient key={ids.clientId} ids={ids} />;
}

function OneClient({ ids }: { ids: ClientIds }) {
  const { projectId } = ids;
  const client = useOperation(
    'getClient',
    { projectId: ids.projectId, client: ids.clientId },
    forForm,
  );
  const servers = useWholeList('listProjectServers', { projectId });
  const project = useProject(projectId);
  const mayEdit = tierAllows(project.data?.role, 'manage');
  return (
    <PageFrame
      title={client.data?.name ?? 'Client'}
      crumbs={<ProjectCrumbs projectId={projectId} section="clients" />}
      actions={mayEdit && client.data ? <Actions ids={ids} client={client.data} /> : undefined}
    >
      <QueryView query={client}>
        {(found) => (
          <QueryView query={servers}>
            {(all) =>
              mayEdit ? (
                <ClientEditor ids={ids} client={found} servers={all} />
              ) : (
                <ClientFacts client={found} servers={all} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Actions({ ids, client }: { ids: ClientIds; client: ClientDetail }) {
  const navigate = useNavigate();
  const { projectId } = ids;
  const duplicate = useChange('duplicateClient', {
    projectId: ids.projectId,
    client: ids.clientId,
  });
  const remove = useChange(
    'deleteClient',
    { projectId: ids.projectId, client: ids.clientId },
    {
      leave: () => {
        notify(`Client ${client.name} deleted.`);
        return navigate({
          to: '/projects/$projectId',
          params: { projectId },
          search: { section: 'clients' },
        });
      },
    },
  );
  const copy = () =>
    duplicate.mutate(
      {},
      {
        onSuccess: (made) => {
          notify(`Copied to ${made.name}.`);
          void navigate({
            to: '/projects/$projectId/clients/$clientId',
            params: { projectId, clientId: made.id },
          });
        },
        onError: (error) => notify(error.message),
      },
    );
  return (
    <>
      <button type="button" disabled={duplicate.isPending} onClick={copy}>
        Duplicate
      </button>
      <DeleteEntity what="client" name={client.name} remove={remove}>
        <p>{impactWords(client.impact, 'In use by')}</p>
        <p>
          {client.impact.liveEnvironmentCount > 0
            ? 'It cannot be deleted while an environment uses it: choose another client there, or archive the environment first.'
            : 'This cannot be undone.'}
        </p>
      </DeleteEntity>
    </>
  );
}

function ClientFacts(props: { client: ClientDetail; servers: readonly ProjectServer[] }) {
  const { config } = props.client;
  const names = (ids: readonly string[] = []) =>
    ids.map((id) => props.servers.find((server) => server.id === id)?.name ?? id).join(', ');
  const facts = [
    ['Model', config.modelId],
    ['System prompt', config.systemPrompt ?? 'not stated'],
    ['Required servers', names(config.serverIds) || 'none'],
    ['Optional servers', names(config.optionalServerIds) || 'none'],
  ] as const;
  return (
    <>
      <p className="intro">A manager of this project can change this client.</p>
      <FactList facts={facts} />
      <details>
        <summary className="unfold-title">Details: config as JSON</summary>
        <CopyText block text={JSON.stringify(config, null, 2)} label="Copy the config" />
      </details>
    </>
  );
}
