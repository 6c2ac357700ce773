import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../../kit/data/field-problems.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';

export function NewSkillPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/skills/new' });
  const entity = { what: 'skill', projectId, section: 'skills' } as const;
  const navigate = useNavigate();
  const create = useChange('createSkill', { projectId });
  const [draft, setDraft] = useState({ name: '', description: '', content: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = fieldProblems(create.error);
  const missing = (field: keyof typeof draft, problem: string) =>
    isSubmitted && draft[field].trim() === '' ? problem : problems[field];
  const submit = () => {
    setSubmitted(true);
    const { name, description, content } = draft;
    if (name.trim() === '' || content.trim() === '') return;
    create.mutate(
      { name, content, ...(description.trim() !== '' && { description }) },
      whenCreated(entity, ({ id: skillId }) =>
        navigate({ to: '/projects/$projectId/skills/$skillId', params: { projectId, skillId } }),
      ),
    );
  };
  return (
    <NewEntityPage entity={entity} intro="Named instructions that a client can be given.">
      <NewEntityForm
        entity={entity}
        problem={formProblem(create.error, ['name', 'description', 'content'])}
        attempt={create.error ?? isSubmitted}
        isCreating={create.isPending}
        onSubmit={submit}
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
          hint="Its purpose, in a sentence."
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
      </NewEntityForm>
    </NewEntityPage>
  );
}
