import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../data/field-problems.ts';
import { type Organization, useOrganizations } from '../data/organizations.ts';
import { useCreateProject } from '../data/projects.ts';
import { Answer } from '../parts/answer.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { OrganizationField } from '../parts/organization-field.tsx';
import { Page } from '../parts/page.tsx';
import { type ProjectDraft, ProjectFields, projectFieldNames } from '../parts/project-fields.tsx';

export function NewProjectPage() {
  const organizations = useOrganizations();
  return (
    <Page title="New project" crumbs={<Link to="/projects">Projects</Link>} width="narrow">
      <Answer query={organizations}>{(all) => <NewProjectForm organizations={all} />}</Answer>
    </Page>
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
    if (create.isPending) return;
    const { name, description, visibility } = draft;
    const body = {
      name,
      visibility,
      ...(description.trim() !== '' && { description }),
      ...(organizationId !== '' && { organizationId }),
    };
    create.mutate(body, {
      onSuccess: (project) => {
        notify(`Project ${project.name} created.`);
        void navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
      },
    });
  };
  return (
    <Form
      label="New project"
      problem={formProblem(create.error, [...projectFieldNames, 'organizationId'])}
      attempt={create.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={create.isPending}>
            Create project
          </button>
          <Link to="/projects" className="button">
            Cancel
          </Link>
        </>
      }
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
    </Form>
  );
}
