import '../../../kit/styles/workbench.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckList } from '../../../kit/check-list.tsx';
import { fieldProblems, formProblem, problemInside } from '../../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { QueryView } from '../../../kit/query-view.tsx';

export function NewServerGroupPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/server-groups/new' });
  const entity = { what: 'server group', projectId, section: 'server-groups' } as const;
  const navigate = useNavigate();
  const servers = useWholeList('listProjectServers', { projectId });
  const create = useChange('createServerAttachment', { projectId });
  const [name, setName] = useState('');
  const [serverIds, setServerIds] = useState<string[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = fieldProblems(create.error);
  const nameMissing = isSubmitted && name.trim() === '' ? 'Enter a name.' : undefined;
  const noServer =
    isSubmitted && serverIds.length === 0 ? 'Choose at least one server.' : undefined;
  const submit = () => {
    setSubmitted(true);
    if (name.trim() === '' || serverIds.length === 0) return;
    create.mutate(
      { name, serverIds },
      whenCreated(entity, ({ id: groupId }) =>
        navigate({
          to: '/projects/$projectId/server-groups/$groupId',
          params: { projectId, groupId },
        }),
      ),
    );
  };
  return (
    <NewEntityPage
      entity={entity}
      intro="Servers that an environment uses together. A group never changes; make another instead."
    >
      <QueryView query={servers}>
        {(all) => (
          <NewEntityForm
            entity={entity}
            problem={formProblem(create.error, ['name', 'serverIds'])}
            attempt={create.error ?? nameMissing ?? noServer}
            isCreating={create.isPending}
            onSubmit={submit}
          >
            <Field label="Name" problem={nameMissing ?? problems['name']}>
              {(control) => (
                <input
                  {...control}
                  autoComplete="off"
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            <CheckList
              legend="Servers"
              problem={noServer ?? problemInside(problems, 'serverIds')}
              none="This project has no servers yet."
              options={all.map(({ id, name: server, url }) => ({
                id,
                name: server,
                hint: url ?? undefined,
              }))}
              chosen={serverIds}
              onChange={setServerIds}
            />
          </NewEntityForm>
        )}
      </QueryView>
    </NewEntityPage>
  );
}
