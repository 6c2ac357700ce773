import '../../../kit/styles/workbench.css';
import type { ProjectEnvironment } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { client } from '../../../kit/data/client.ts';
import { forForm, useChange, useKeep, useOperation } from '../../../kit/data/operations.ts';
import { FactList } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { choiceNames, useEnvironmentChoices } from '../data/environment-choices.ts';
import type { EnvironmentIds } from '../data/environments.ts';
import { EnvironmentEditor } from '../environment-editor.tsx';
import type { Names } from '../environment-words.ts';
import { Preview } from '../preview.tsx';
import { RunHere } from '../run-here.tsx';

const route = '/signed-in/projects/$projectId/environments/$environmentId';

export function EnvironmentDetailPage() {
  const ids = useParams({ from: route });
  return <OneEnvironment key={ids.environmentId} ids={ids} />;
}

function OneEnvironment({ ids }: { ids: EnvironmentIds }) {
  const { section } = useSearch({ from: route });
  const environment = useOperation('getEnvironment', ids, forForm);
  const parts = useEnvironmentChoices(ids.projectId);
  const project = useProject(ids.projectId);
  const isAdmin = tierAllows(project.data?.role, 'admin');
  return (
    <PageFrame
      title={environment.data?.name ?? 'Environment'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="environments" />}
      actions={
        isAdmin && environment.data ? (
          <ArchiveOrRestore ids={ids} environment={environment.data} />
        ) : undefined
      }
    >
      <QueryView query={environment}>
        {(found) => (
          <>
            <EnvironmentSections ids={ids} />
            {section === 'preview' ? (
              <Preview ids={ids} clientId={found.hostId} />
            ) : (
              <QueryView query={parts}>
                {(all) =>
                  isAdmin && !found.archived ? (
                    <EnvironmentEditor ids={ids} environment={found} parts={all} />
                  ) : (
                    <EnvironmentFacts
                      environment={found}
                      names={choiceNames(all)}
                      why={
                        found.archived
                          ? 'It is archived. Restore it to change it or to run in it.'
                          : 'An admin of this project can change this environment.'
                      }
                    />
                  )
                }
              </QueryView>
            )}
            {!found.archived && tierAllows(project.data?.role, 'member') && <RunHere ids={ids} />}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function EnvironmentSections({ ids }: { ids: EnvironmentIds }) {
  return (
    <nav className="sections" aria-label="Sections of this environment">
      {(['Settings', 'Preview'] as const).map((name) => (
        <Link
          key={name}
          to="/projects/$projectId/environments/$environmentId"
          params={ids}
          search={name === 'Settings' ? {} : { section: 'preview' }}
          activeOptions={{ exact: name === 'Settings', includeSearch: true }}
          resetScroll={false}
          data-name={name}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function ArchiveOrRestore(props: { ids: EnvironmentIds; environment: ProjectEnvironment }) {
  const { ids, environment } = props;
  const keep = useKeep('getEnvironment', ids);
  const archive = useChange('archiveEnvironment', (expectedRevision: number) => ({
    ...ids,
    body: { expectedRevision },
  }));
  const restore = useChange('restoreEnvironment', (expectedRevision: number) => ({
    ...ids,
    body: { expectedRevision },
  }));
  const [asking, setAsking] = useState(false);
  const write = environment.archived ? restore : archive;
  const close = () => {
    setAsking(false);
    archive.reset();
    restore.reset();
  };
  const word = environment.archived ? 'Restore' : 'Archive';
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {word}
      </button>
      {asking && (
        <Confirm
          title={`${word} ${environment.name}?`}
          action={`${word} environment`}
          isHarmless
          busy={write.isPending}
          error={write.error}
          onClose={close}
          onConfirm={() =>
            write.mutate(environment.revision, {
              onSuccess: (saved) => {
                keep(saved);
                notify(`Environment ${saved.name} ${saved.archived ? 'archived' : 'restored'}.`);
                close();
              },
              // After an error, the environment may have changed, so it is reloaded. A second
              // confirmation then applies to its current state.
              onError: () => void client.getEnvironment(ids).then(keep, () => {}),
            })
          }
        >
          <p>
            {environment.archived
              ? 'Its name must still be free. Pins of plugin versions that are gone are taken out.'
              : 'Nothing can run in it until it is restored, and its name becomes free.'}
          </p>
        </Confirm>
      )}
    </>
  );
}

function EnvironmentFacts(props: { environment: ProjectEnvironment; names: Names; why: string }) {
  const { environment, names } = props;
  const { serverAttachmentId, skillSelection, pluginVersionIds = [] } = environment;
  const gone = 'no longer there';
  const skills = skillSelection?.skillIds.map((id) => names.skill(id) ?? gone) ?? [];
  const pins = pluginVersionIds.map((id) => names.pluginVersion(id) ?? gone);
  const group = serverAttachmentId === undefined ? undefined : names.group(serverAttachmentId);
  const facts = [
    ['Description', environment.description || 'none'],
    ['Client', names.client(environment.hostId) ?? gone],
    ['Servers', serverAttachmentId === undefined ? 'those of the client' : (group ?? gone)],
    ['Model', environment.modelId ?? 'that of the client'],
    ['Skills', skills.join(', ') || 'as the client has it'],
    ['Plugins', pins.join(', ') || 'none'],
    ['Revision', String(environment.revision)],
  ] as const;
  return (
    <>
      <p className="intro">{props.why}</p>
      <FactList facts={facts} />
    </>
  );
}
