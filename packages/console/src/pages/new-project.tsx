import type { Organization } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../data/field-problems.ts';
import { useOrganizations } from '../data/organizations.ts';
import { useCreateProject } from '../data/projects.ts';
import { NewEntityForm, whenCreated } from '../parts/new-entity-form.tsx';
import { NewEntityPage } from '../parts/new-entity-page.tsx';
import { OrganizationField } from '../parts/organization-field.tsx';
import { type ProjectDraft, ProjectFields, projectFieldNames } from '../parts/project-fields.tsx';
import { QueryView } from '../parts/query-view.tsx';

const newProject = { what: 'project' } as const;

export function NewProjectPage() {
  const organizations = useOrganizations();
  return (
    <NewEntityPage entity={newProject} width="narrow">
      <QueryView query={organizations}>{(all) => <NewProjectForm organizations={all} />}</QueryView>
    </NewEntityPage>
  );
}

function NewProjectForm(props: { organizations: readonly Organization[] }) {
  const navigate = useNavigate();
  const create = useCreateProject();
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
