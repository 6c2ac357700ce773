import type { ProjectEnvironment } from '@proofmark/contract';
import '../styles/workbench.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { namesIn, useEnvironmentParts } from '../data/environment-parts.ts';
import {
  type EnvironmentPlace,
  readEnvironment,
  useArchiveEnvironment,
  useEnvironment,
  useKeepEnvironment,
  useRestoreEnvironment,
} from '../data/environments.ts';
import { useProject } from '../data/projects.ts';
import { Answer } from '../parts/answer.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { EnvironmentEditor } from '../parts/environment-page/environment-editor.tsx';
import { EnvironmentFacts } from '../parts/environment-page/environment-facts.tsx';
import { Preview } from '../parts/environment-page/preview.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

const route = '/signed-in/projects/$projectId/environments/$environmentId';

export function EnvironmentPage() {
  const place = useParams({ from: route });
  return <OneEnvironment key={place.environmentId} place={place} />;
}

function OneEnvironment({ place }: { place: EnvironmentPlace }) {
  const { section } = useSearch({ from: route });
  const environment = useEnvironment(place);
  const parts = useEnvironmentParts(place.projectId);
  const project = useProject(place.projectId);
  const isAdmin = tierAllows(project.data?.role, 'admin');
  return (
    <Page
      title={environment.data?.name ?? 'Environment'}
      crumbs={<ProjectCrumbs projectId={place.projectId} section="environments" />}
      actions={
        isAdmin && environment.data ? (
          <ArchiveOrRestore place={place} environment={environment.data} />
        ) : undefined
      }
    >
      <Answer query={environment}>
        {(found) => (
          <>
            <EnvironmentSections place={place} />
            {section === 'preview' ? (
              <Preview place={place} clientId={found.hostId} />
            ) : (
              <Answer query={parts}>
                {(all) =>
                  isAdmin && !found.archived ? (
                    <EnvironmentEditor place={place} environment={found} parts={all} />
                  ) : (
                    <EnvironmentFacts
                      environment={found}
                      names={namesIn(all)}
                      why={
                        found.archived
                          ? 'It is archived. Restore it to change it or to run in it.'
                          : 'An admin of this project can change this environment.'
                      }
                    />
                  )
                }
              </Answer>
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

function EnvironmentSections({ place }: { place: EnvironmentPlace }) {
  return (
    <nav className="sections" aria-label="Sections of this environment">
      {(['Settings', 'Preview'] as const).map((name) => (
        <Link
          key={name}
          to="/projects/$projectId/environments/$environmentId"
          params={place}
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

function ArchiveOrRestore(props: { place: EnvironmentPlace; environment: ProjectEnvironment }) {
  const { place, environment } = props;
  const keep = useKeepEnvironment(place);
  const archive = useArchiveEnvironment(place);
  const restore = useRestoreEnvironment(place);
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
              // It may have changed meanwhile; whoever confirms again does so to what is there now.
              onError: () => void readEnvironment(place).then(keep, () => {}),
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
