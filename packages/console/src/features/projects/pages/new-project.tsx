import type { Organization } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { OrganizationField } from '../../accounts/index.ts';
import { type ProjectDraft, ProjectFields, projectFieldNames } from '../project-fields.tsx';

const newProject = { what: 'project' } as const;

export function NewProjectPage() {
  const organizations = useWholeList('listOrganizations', {});
  return (
    <NewEntityPage entity={newProject}>
      <QueryView query={organizations}>{(all) => <NewProjectForm organizations={all} />}</QueryView>
    </NewEntityPage>
  );
}

function NewProjectForm(props: { organizations: readonly Organization[] }) {
  const navigate = useNavigate();
  const create = useChange('createProject', {});
  const [draft, setDraft] = useState<ProjectDraft>({
    name: '',
    description: '',
    visibility: 'public',
  });
  const [organizationId, setOrganizationId] = useState(props.organizations[0]?.id ?? '');
  const problems = fieldProblems(create.error);
  const submit = () => {
    const { name, description, visibility } = draft;
    const body = {
      name,
      visibility,
      ...(description.trim() !== '' && { description }),
      ...(organizationId !== '' && { organizationId }),
    };
    create.mutate(
      body,
      whenCreated(newProject, ({ id: projectId }) =>
        navigate({ to: '/projects/$projectId', params: { projectId } }),
      ),
    );
  };
  return (
    <NewEntityForm
      entity={newProject}
      problem={formProblem(create.error, [...projectFieldNames, 'organizationId'])}
      attempt={create.error}
      isCreating={create.isPending}
      onSubmit={submit}
    >
      {props.organizations.length > 1 && (
        <OrganizationField
          organizations={props.organizations}
          value={organizationId}
          problem={problems['organizationId']}
          onChange={setOrganizationId}
        />
      )}
      <ProjectFields
        draft={draft}
        problems={problems}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
    </NewEntityForm>
  );
}
