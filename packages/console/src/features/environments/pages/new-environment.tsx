import '../../../kit/styles/workbench.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { startDraft } from '../../../kit/changes/json-draft.ts';
import { JsonPane } from '../../../kit/changes/json-pane.tsx';
import { problemSentence } from '../../../kit/changes/problem-sentence.ts';
import { type FieldProblems, fieldProblems } from '../../../kit/data/field-problems.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { type EnvironmentChoices, useEnvironmentChoices } from '../data/environment-choices.ts';
import { readEnvironmentDraft } from '../environment-draft.ts';
import { EnvironmentFields, environmentFieldNames } from '../environment-fields.tsx';

const newEnvironment = (projectId: string) =>
  ({ what: 'environment', projectId, section: 'environments' }) as const;

export function NewEnvironmentPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/environments/new' });
  const project = useProject(projectId);
  const parts = useEnvironmentChoices(projectId);
  return (
    <NewEntityPage
      entity={newEnvironment(projectId)}
      intro="What a run runs in: a client, the servers it may talk to, and the skills and plugins it has."
    >
      <QueryView query={project}>
        {({ role }) => (
          <QueryView query={parts}>
            {(all) => {
              if (!tierAllows(role, 'admin')) {
                return <p className="panel">An admin of this project can add environments.</p>;
              }
              return all.clients.length === 0 ? (
                <NoClient projectId={projectId} />
              ) : (
                <NewEnvironmentForm projectId={projectId} parts={all} />
              );
            }}
          </QueryView>
        )}
      </QueryView>
    </NewEntityPage>
  );
}

function NoClient({ projectId }: { projectId: string }) {
  return (
    <Empty title="No client yet">
      <p>An environment runs a client. Create one first.</p>
      <Link to="/projects/$projectId/clients/new" params={{ projectId }} className="button primary">
        New client
      </Link>
    </Empty>
  );
}

function NewEnvironmentForm(props: { projectId: string; parts: EnvironmentChoices }) {
  const { projectId, parts } = props;
  const entity = newEnvironment(projectId);
  const navigate = useNavigate();
  const create = useChange('createEnvironment', { projectId });
  const [onlyClient, ...others] = parts.clients;
  const [draft, setDraft] = useState(() =>
    startDraft(onlyClient !== undefined && others.length === 0 ? { hostId: onlyClient.id } : {}),
  );
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const problems = ownProblems ?? fieldProblems(create.error);
  const submit = () => {
    const outcome = readEnvironmentDraft(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('problems' in outcome) return;
    create.mutate(
      outcome.version,
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
        <EnvironmentFields draft={draft} parts={parts} problems={problems} onChange={setDraft} />
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
