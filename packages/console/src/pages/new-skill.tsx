import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../data/field-problems.ts';
import { useCreateSkill } from '../data/skills.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

export function NewSkillPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/skills/new' });
  const navigate = useNavigate();
  const create = useCreateSkill(projectId);
  const [draft, setDraft] = useState({ name: '', description: '', content: '' });
  const [isTold, setTold] = useState(false);
  const problems = fieldProblems(create.error);
  const missing = (field: keyof typeof draft, problem: string) =>
    isTold && draft[field].trim() === '' ? problem : problems[field];
  const submit = () => {
    setTold(true);
    const { name, description, content } = draft;
    if (create.isPending || name.trim() === '' || content.trim() === '') return;
    create.mutate(
      { name, content, ...(description.trim() !== '' && { description }) },
      {
        onSuccess: (made) => {
          notify(`Skill ${made.name} created.`);
          void navigate({
            to: '/projects/$projectId/skills/$skillId',
            params: { projectId, skillId: made.id },
          });
        },
      },
    );
  };
  return (
    <Page
      title="New skill"
      crumbs={<ProjectCrumbs projectId={projectId} section="skills" />}
      intro="Named instructions that a client can be given."
      width="narrow"
    >
      <Form
        label="New skill"
        problem={formProblem(create.error, ['name', 'description', 'content'])}
        attempt={create.error ?? isTold}
        onSubmit={submit}
        buttons={
          <>
            <button type="submit" className="primary" disabled={create.isPending}>
              Create skill
            </button>
            <Link
              to="/projects/$projectId"
              params={{ projectId }}
              search={{ section: 'skills' }}
              className="button"
            >
              Cancel
            </Link>
          </>
        }
      >
        <Field label="Name" problem={missing('name', 'Enter a name.')}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => setDraft({ ...draft, name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Description"
          hint="What it is for, in a sentence."
          problem={problems['description']}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={draft.description}
              onChange={(event) => setDraft({ ...draft, description: event.target.value })}
            />
          )}
        </Field>
        <Field label="Text" problem={missing('content', 'Write the instructions.')}>
          {(control) => (
            <textarea
              {...control}
              rows={12}
              value={draft.content}
              onChange={(event) => setDraft({ ...draft, content: event.target.value })}
            />
          )}
        </Field>
      </Form>
    </Page>
  );
}
