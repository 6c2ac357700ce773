import type { Project } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { useChange } from '../../kit/data/operations.ts';
import { Form } from '../../kit/form.tsx';
import { notify } from '../../kit/notice.tsx';
import { type ProjectDraft, ProjectFields, projectFieldNames } from './project-fields.tsx';

export function ProjectSettings({ project }: { project: Project }) {
  const update = useChange('updateProject', { projectId: project.id });
  const [draft, setDraft] = useState<ProjectDraft>({
    name: project.name,
    description: project.description ?? '',
    visibility: project.visibility,
  });
  const submit = () => {
    if (update.isPending) return;
    update.mutate(changesOf(draft, project), { onSuccess: () => notify('Settings saved.') });
  };
  const changed = Object.keys(changesOf(draft, project)).length > 0;
  return (
    <div className="panel">
      <Form
        label="Project settings"
        problem={formProblem(update.error, projectFieldNames)}
        attempt={update.error}
        onSubmit={submit}
        buttons={
          <button type="submit" className="primary" disabled={!changed || update.isPending}>
            Save settings
          </button>
        }
      >
        <ProjectFields
          draft={draft}
          problems={fieldProblems(update.error)}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </Form>
      <DeleteProject project={project} />
    </div>
  );
}

function changesOf(draft: ProjectDraft, project: Project): Partial<ProjectDraft> {
  return {
    ...(draft.name !== project.name && { name: draft.name }),
    ...(draft.description !== (project.description ?? '') && { description: draft.description }),
    ...(draft.visibility !== project.visibility && { visibility: draft.visibility }),
  };
}

function DeleteProject({ project }: { project: Project }) {
  const navigate = useNavigate();
  const remove = useChange(
    'deleteProject',
    { projectId: project.id },
    {
      leave: () => {
        notify(`Project ${project.name} deleted.`);
        return navigate({ to: '/projects' });
      },
    },
  );
  const [asking, setAsking] = useState(false);
  if (project.isDefault) {
    return <p className="hint">The Default project of an organization cannot be deleted.</p>;
  }
  return (
    <div className="danger-zone">
      <p className="hint">Deletes the project and all it holds. This cannot be undone.</p>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Delete project
      </button>
      {asking && (
        <Confirm
          title={`Delete ${project.name}?`}
          action="Delete project"
          typed={{ label: 'Type the project’s name to confirm', text: project.name }}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          <p>Its servers, their stored credentials and everything else in it go with it.</p>
        </Confirm>
      )}
    </div>
  );
}
