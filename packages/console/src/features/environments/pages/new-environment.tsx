import '../../../kit/styles/workbench.css';
import type { ProjectServer } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { textIn } from '../../../kit/changes/draft-fields.tsx';
import { startDraft } from '../../../kit/changes/json-draft.ts';
import { JsonPane } from '../../../kit/changes/json-pane.tsx';
import { problemSentence } from '../../../kit/changes/problem-sentence.ts';
import { CheckList } from '../../../kit/check-list.tsx';
import { type FieldProblems, fieldProblems } from '../../../kit/data/field-problems.ts';
import { useWholeList } from '../../../kit/data/operations.ts';
import { together } from '../../../kit/data/together.ts';
import { firstServers } from '../../../kit/first-choice.ts';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { type EnvironmentChoices, useEnvironmentChoices } from '../data/environment-choices.ts';
import { useMakeEnvironment } from '../data/make-environment.ts';
import { readEnvironmentDraft, withText } from '../environment-draft.ts';
import { EnvironmentFields, environmentFieldNames } from '../environment-fields.tsx';

const newEnvironment = (projectId: string) =>
  ({ what: 'environment', projectId, section: 'environments' }) as const;

export function NewEnvironmentPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/environments/new' });
  const project = useProject(projectId);
  const parts = together({
    parts: useEnvironmentChoices(projectId),
    servers: useWholeList('listProjectServers', { projectId }),
  });
  return (
    <NewEntityPage
      entity={newEnvironment(projectId)}
      intro="The setting of a run: a client, the servers it may talk to, and the skills and plugins it has."
    >
      <QueryView query={project}>
        {({ role }) => (
          <QueryView query={parts}>
            {(all) => {
              if (!tierAllows(role, 'admin')) {
                return <p className="panel">An admin of this project can add environments.</p>;
              }
              return <NewEnvironmentForm projectId={projectId} {...all} />;
            }}
          </QueryView>
        )}
      </QueryView>
    </NewEntityPage>
  );
}

function NewEnvironmentForm(props: {
  projectId: string;
  parts: EnvironmentChoices;
  servers: readonly ProjectServer[];
}) {
  const { projectId, parts, servers } = props;
  const entity = newEnvironment(projectId);
  const navigate = useNavigate();
  const create = useMakeEnvironment(projectId);
  const [onlyClient, ...others] = parts.clients;
  const [draft, setDraft] = useState(() =>
    startDraft(onlyClient !== undefined && others.length === 0 ? { hostId: onlyClient.id } : {}),
  );
  const isNewClient = textIn(draft, 'hostId') === '';
  const isGrouped = textIn(draft, 'serverAttachmentId') !== '';
  const [picked, setPicked] = useState<readonly string[]>();
  const chosen = picked ?? (isNewClient ? firstServers(servers) : []);
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const problems = ownProblems ?? fieldProblems(create.error);
  const submit = () => {
    const outcome = readEnvironmentDraft(isNewClient ? withText(draft, 'hostId', 'new') : draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('problems' in outcome) return;
    create.mutate(
      { content: outcome.version, isNewClient, serverIds: isGrouped ? [] : chosen },
      whenCreated(entity, ({ id: environmentId }) =>
        navigate({
          to: '/projects/$projectId/environments/$environmentId',
          params: { projectId, environmentId },
          search: { section: 'preview' },
        }),
      ),
    );
  };
  return (
    <NewEntityForm
      entity={entity}
      problem={
        ownProblems === undefined
          ? create.error?.message
          : problemSentence(ownProblems, environmentFieldNames)
      }
      attempt={ownProblems ?? create.error}
      isCreating={create.isPending}
      onSubmit={submit}
    >
      <div className="workbench">
        <EnvironmentFields
          draft={draft}
          parts={parts}
          problems={problems}
          onChange={setDraft}
          noClient="A new one, with the built-in model"
          servers={
            !isGrouped && (
              <CheckList
                legend="Servers"
                {...(!isNewClient && { hint: 'None chosen: those of the client.' })}
                none="This project has no servers yet."
                options={servers.map(({ id, name, url }) => ({ id, name, hint: url ?? undefined }))}
                chosen={chosen}
                onChange={setPicked}
              />
            )
          }
        />
        <JsonPane
          label="Environment as JSON"
          draft={draft}
          problem={problems['json']}
          onChange={setDraft}
        />
      </div>
    </NewEntityForm>
  );
}
