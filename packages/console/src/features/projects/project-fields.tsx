import type { FieldProblems } from '../../kit/data/field-problems.ts';
import { Field } from '../../kit/field.tsx';
import { visibilityWords } from '../../kit/project-words.ts';

export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly visibility: keyof typeof visibilityWords;
}

export const projectFieldNames = ['name', 'description', 'visibility'] as const;

export function ProjectFields(props: {
  draft: ProjectDraft;
  problems: FieldProblems;
  onChange: (change: Partial<ProjectDraft>) => void;
}) {
  const { draft, problems, onChange } = props;
  return (
    <>
      <Field label="Name" problem={problems['name']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Description"
        hint="Its purpose, in a sentence."
        problem={problems['description']}
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Visibility" problem={problems['visibility']}>
        {(control) => (
          <select
            {...control}
            value={draft.visibility}
            onChange={(event) =>
              onChange({ visibility: event.target.value as ProjectDraft['visibility'] })
            }
          >
            <option value="public">Public: {visibilityWords.public}</option>
            <option value="private">Private: {visibilityWords.private}</option>
          </select>
        )}
      </Field>
    </>
  );
}
