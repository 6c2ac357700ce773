import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { useOperation, useWholeList } from '../../kit/data/operations.ts';
import { together } from '../../kit/data/together.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { notify } from '../../kit/notice.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { FirstEnvironment } from '../environments/index.ts';
import { usePublish } from './data/user-testing.ts';
import { type EnvironmentChoice, EnvironmentSelect } from './environment-select.tsx';
import { type Mode, modeWords } from './link-words.ts';
import { ModeOptions } from './mode-options.tsx';

export function UserTestingSection({ project }: { project: Project }) {
  return (
    <QueryView query={useOperation('getProjectCapabilities', { projectId: project.id })}>
      {({ features }) =>
        features.userTesting.enabled ? (
          <>
            <Links project={project} />
            {tierAllows(project.role, 'admin') && <Publish projectId={project.id} />}
          </>
        ) : (
          <Empty title="User testing is switched off">
            <p>People open a link and talk to your servers. The operator switches this on:</p>
            <CopyText
              block
              text={`proofmark admin set-feature ${project.organizationId} user-testing on`}
              label="Copy the command"
            />
          </Empty>
        )
      }
    </QueryView>
  );
}

function Links({ project }: { project: Project }) {
  return (
    <ListSection
      title="Published links"
      what="published links"
      intro="Whoever may open a link talks to its environment in a web page; you read what happened."
      query={useWholeList('listScenarios', { projectId: project.id })}
      add={undefined}
      whoAdds={
        tierAllows(project.role, 'admin')
          ? 'Publish an environment below.'
          : 'An admin of this project can publish an environment.'
      }
      empty="Nobody can talk to this project yet."
      columns={['Link', 'Access', 'Servers', 'Published']}
      row={({ id, name, mode, serverNames, createdAt, environmentError }) => (
        <tr key={id}>
          <th scope="row">
            <Link
              to="/projects/$projectId/user-testing/$scenarioId"
              params={{ projectId: project.id, scenarioId: id }}
            >
              {name}
            </Link>
            {environmentError && <p className="problem">{environmentError.message}</p>}
          </th>
          <td data-label="Access">{mode === null ? '' : modeWords[mode]}</td>
          <td data-label="Servers">{serverNames.join(', ')}</td>
          <td data-label="Published">{createdAt !== null && <InstantText atMs={createdAt} />}</td>
        </tr>
      )}
    />
  );
}

function Publish({ projectId }: { projectId: string }) {
  const parts = together({
    environments: useWholeList('listEnvironments', { projectId }),
    scenarios: useWholeList('listScenarios', { projectId }),
  });
  return (
    <section aria-labelledby="publish">
      <h2 id="publish">Publish an environment</h2>
      <QueryView query={parts}>
        {({ environments, scenarios }) => {
          const taken = new Set(scenarios.map(({ environmentId }) => environmentId));
          const free = environments.filter(({ id }) => !taken.has(id));
          return free.length === 0 ? (
            environments.length === 0 ? (
              <FirstEnvironment projectId={projectId} why="People talk to an environment." />
            ) : (
              <p className="hint">Every environment of this project is published.</p>
            )
          ) : (
            <PublishForm projectId={projectId} environments={free} />
          );
        }}
      </QueryView>
    </section>
  );
}

function PublishForm(props: { projectId: string; environments: readonly EnvironmentChoice[] }) {
  const { projectId, environments } = props;
  const [environmentId, setEnvironmentId] = useState(environments[0]?.id ?? '');
  const [mode, setMode] = useState<Mode>('project_members');
  const publish = usePublish(projectId);
  const navigate = useNavigate();
  const onSubmit = () =>
    publish.mutate(
      { environmentId, body: { mode } },
      {
        onSuccess: ({ id: scenarioId, name }) => {
          notify(`Published ${name}.`);
          const to = '/projects/$projectId/user-testing/$scenarioId';
          void navigate({ to, params: { projectId, scenarioId } });
        },
      },
    );
  return (
    <Form
      label="Publish an environment"
      problem={publish.error?.message}
      attempt={publish.error}
      onSubmit={onSubmit}
      buttons={
        <button type="submit" className="primary" disabled={publish.isPending}>
          Publish
        </button>
      }
    >
      <EnvironmentSelect
        environments={environments}
        chosen={environmentId}
        onChange={setEnvironmentId}
      />
      <Field
        label="Access to the link"
        hint="Visitors act on its servers with the credentials saved there."
      >
        {(control) => <ModeOptions control={control} mode={mode} onChange={setMode} />}
      </Field>
    </Form>
  );
}
