import '../../../kit/styles/workbench.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem, problemInside } from '../../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import {
  contentsBody,
  contentsProblem,
  PluginContents,
  type PluginContentsDraft,
} from '../plugin-contents.tsx';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, with the few states that its fields share.
export function NewPluginPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/plugins/new' });
  const entity = { what: 'plugin', projectId, section: 'plugins' } as const;
  const navigate = useNavigate();
  const servers = useWholeList('listProjectServers', { projectId });
  const skills = useWholeList('listSkills', { projectId });
  const create = useChange('createPlugin', { projectId });
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [contents, setContents] = useState<PluginContentsDraft>({
    declaredVersion: '',
    serverIds: [],
    skillIds: [],
  });
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = fieldProblems(create.error);
  const isEmpty = contentsProblem(contents);
  const submit = () => {
    setSubmitted(true);
    if (name.trim() === '' || isEmpty !== undefined) return;
    create.mutate(
      {
        name,
        ...(description.trim() !== '' && { description }),
        ...contentsBody(contents),
      },
      whenCreated(entity, ({ id: pluginId }) =>
        navigate({ to: '/projects/$projectId/plugins/$pluginId', params: { projectId, pluginId } }),
      ),
    );
  };
  return (
    <NewEntityPage
      entity={entity}
      intro="Servers and skills that belong together. This makes its first version."
    >
      <QueryView query={servers}>
        {(allServers) => (
          <QueryView query={skills}>
            {(allSkills) => (
              <NewEntityForm
                entity={entity}
                problem={formProblem(create.error, ['name', 'serverIds'])}
                attempt={create.error ?? isSubmitted}
                isCreating={create.isPending}
                onSubmit={submit}
              >
                <Field
                  label="Name"
                  problem={isSubmitted && name.trim() === '' ? 'Enter a name.' : problems['name']}
                >
                  {(control) => (
                    <input
                      {...control}
                      autoComplete="off"
                      value={name}
                      onChange={(event) => setName(event.target.value)}
                    />
                  )}
                </Field>
                <Field label="Description" hint="Its purpose, in a sentence.">
                  {(control) => (
                    <input
                      {...control}
                      autoComplete="off"
                      value={description}
                      onChange={(event) => setDescription(event.target.value)}
                    />
                  )}
                </Field>
                <PluginContents
                  draft={contents}
                  servers={allServers}
                  skills={allSkills}
                  problem={
                    isSubmitted ? (isEmpty ?? problemInside(problems, 'serverIds')) : undefined
                  }
                  onChange={setContents}
                />
              </NewEntityForm>
            )}
          </QueryView>
        )}
      </QueryView>
    </NewEntityPage>
  );
}
