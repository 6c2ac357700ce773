import type { ClientDetail } from '@proofmark/contract';
import '../styles/workbench.css';
import { tierAllows } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  type ClientPlace,
  useClient,
  useDeleteClient,
  useDuplicateClient,
} from '../data/clients.ts';
import { useProject } from '../data/projects.ts';
import { useServers } from '../data/servers.ts';
import { Answer } from '../parts/answer.tsx';
import { ClientEditor } from '../parts/client-page/client-editor.tsx';
import { ClientFacts } from '../parts/client-page/client-facts.tsx';
import { impactWords } from '../parts/client-page/impact-words.ts';
import { DeleteThing } from '../parts/delete-thing.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

export function ClientPage() {
  const place = useParams({ from: '/signed-in/projects/$projectId/clients/$clientId' });
  return <OneClient key={place.clientId} place={place} />;
}

function OneClient({ place }: { place: ClientPlace }) {
  const { projectId } = place;
  const client = useClient(place);
  const servers = useServers(projectId);
  const project = useProject(projectId);
  const mayEdit = tierAllows(project.data?.role, 'manage');
  return (
    <Page
      title={client.data?.name ?? 'Client'}
      crumbs={<ProjectCrumbs projectId={projectId} section="clients" />}
      actions={mayEdit && client.data ? <Actions place={place} client={client.data} /> : undefined}
    >
      <Answer query={client}>
        {(found) => (
          <Answer query={servers}>
            {(all) =>
              mayEdit ? (
                <ClientEditor place={place} client={found} servers={all} />
              ) : (
                <ClientFacts client={found} servers={all} />
              )
            }
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

function Actions({ place, client }: { place: ClientPlace; client: ClientDetail }) {
  const navigate = useNavigate();
  const { projectId } = place;
  const duplicate = useDuplicateClient(place);
  const remove = useDeleteClient(place, () => {
    notify(`Client ${client.name} deleted.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'clients' },
    });
  });
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
      <DeleteThing what="client" name={client.name} remove={remove}>
        <p>{impactWords(client.impact, 'In use by')}</p>
        <p>
          {client.impact.liveEnvironmentCount > 0
            ? 'It cannot be deleted while an environment uses it: choose another client there, or archive the environment first.'
            : 'This cannot be undone.'}
        </p>
      </DeleteThing>
    </>
  );
}
