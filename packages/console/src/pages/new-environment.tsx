import '../styles/workbench.css';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { startDraft } from '../changes/json-draft.ts';
import { type EnvironmentParts, useEnvironmentParts } from '../data/environment-parts.ts';
import { useCreateEnvironment } from '../data/environments.ts';
import { type FieldProblems, fieldProblems } from '../data/field-problems.ts';
import { useProject } from '../data/projects.ts';
import { readEnvironmentDraft } from '../environments/environment-draft.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { JsonPane } from '../parts/changes/json-pane.tsx';
import { problemSentence } from '../parts/changes/problem-sentence.ts';
import {
  EnvironmentFields,
  environmentFieldNames,
} from '../parts/environment-page/environment-fields.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

export function NewEnvironmentPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/environments/new' });
  const project = useProject(projectId);
  const parts = useEnvironmentParts(projectId);
  return (
    <Page
      title="New environment"
      crumbs={<ProjectCrumbs projectId={projectId} section="environments" />}
      intro="What a run runs in: a client, the servers it may talk to, and the skills and plugins it has."
    >
      <Answer query={project}>
        {({ role }) => (
          <Answer query={parts}>
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
          </Answer>
        )}
      </Answer>
    </Page>
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

function NewEnvironmentForm(props: { projectId: string; parts: EnvironmentParts }) {
  const { projectId, parts } = props;
  const navigate = useNavigate();
  const create = useCreateEnvironment(projectId);
  const [onlyClient, ...others] = parts.clients;
  const [draft, setDraft] = useState(() =>
    startDraft(onlyClient !== undefined && others.length === 0 ? { hostId: onlyClient.id } : {}),
  );
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const problems = ownProblems ?? fieldProblems(create.error);
  const submit = () => {
    if (create.isPending) return;
    const outcome = readEnvironmentDraft(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('problems' in outcome) return;
    create.mutate(outcome.version, {
      onSuccess: (made) => {
        notify(`Environment ${made.name} created.`);
        void navigate({
          to: '/projects/$projectId/environments/$environmentId',
          params: { projectId, environmentId: made.id },
          search: { section: 'preview' },
        });
      },
    });
  };
  return (
    <Form
      label="New environment"
      problem={
        ownProblems === undefined
          ? create.error?.message
          : problemSentence(ownProblems, environmentFieldNames)
      }
      attempt={ownProblems ?? create.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={create.isPending}>
            Create environment
          </button>
          <Link
            to="/projects/$projectId"
            params={{ projectId }}
            search={{ section: 'environments' }}
            className="button"
          >
            Cancel
          </Link>
        </>
      }
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
    </Form>
  );
}
