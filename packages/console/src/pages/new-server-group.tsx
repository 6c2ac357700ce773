import '../styles/workbench.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem, problemInside } from '../data/field-problems.ts';
import { useCreateServerGroup } from '../data/server-groups.ts';
import { useServers } from '../data/servers.ts';
import { Answer } from '../parts/answer.tsx';
import { CheckList } from '../parts/check-list.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

export function NewServerGroupPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/server-groups/new' });
  const navigate = useNavigate();
  const servers = useServers(projectId);
  const create = useCreateServerGroup(projectId);
  const [name, setName] = useState('');
  const [serverIds, setServerIds] = useState<string[]>([]);
  const [isTold, setTold] = useState(false);
  const problems = fieldProblems(create.error);
  const nameMissing = isTold && name.trim() === '' ? 'Enter a name.' : undefined;
  const noServer = isTold && serverIds.length === 0 ? 'Choose at least one server.' : undefined;
  const submit = () => {
    setTold(true);
    if (create.isPending || name.trim() === '' || serverIds.length === 0) return;
    create.mutate(
      { name, serverIds },
      {
        onSuccess: (made) => {
          notify(`Server group ${made.name} created.`);
          void navigate({
            to: '/projects/$projectId/server-groups/$groupId',
            params: { projectId, groupId: made.id },
          });
        },
      },
    );
  };
  return (
    <Page
      title="New server group"
      crumbs={<ProjectCrumbs projectId={projectId} section="server-groups" />}
      intro="Servers that an environment uses together. A group never changes; make another instead."
      width="narrow"
    >
      <Answer query={servers}>
        {(all) => (
          <Form
            label="New server group"
            problem={formProblem(create.error, ['name', 'serverIds'])}
            attempt={create.error ?? nameMissing ?? noServer}
            onSubmit={submit}
            buttons={
              <>
                <button type="submit" className="primary" disabled={create.isPending}>
                  Create server group
                </button>
                <Link
                  to="/projects/$projectId"
                  params={{ projectId }}
                  search={{ section: 'server-groups' }}
                  className="button"
                >
                  Cancel
                </Link>
              </>
            }
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
          </Form>
        )}
      </Answer>
    </Page>
  );
}
