import '../styles/workbench.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems, formProblem, problemInside } from '../data/field-problems.ts';
import { useCreatePlugin } from '../data/plugins.ts';
import { useServers } from '../data/servers.ts';
import { useSkills } from '../data/skills.ts';
import { Answer } from '../parts/answer.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import {
  contentsBody,
  contentsProblem,
  PluginContents,
  type PluginContentsDraft,
} from '../parts/plugin-contents.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';

export function NewPluginPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/plugins/new' });
  const navigate = useNavigate();
  const servers = useServers(projectId);
  const skills = useSkills(projectId);
  const create = useCreatePlugin(projectId);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [contents, setContents] = useState<PluginContentsDraft>({
    declaredVersion: '',
    serverIds: [],
    skillIds: [],
  });
  const [isTold, setTold] = useState(false);
  const problems = fieldProblems(create.error);
  const isEmpty = contentsProblem(contents);
  const submit = () => {
    setTold(true);
    if (create.isPending || name.trim() === '' || isEmpty !== undefined) return;
    create.mutate(
      {
        name,
        ...(description.trim() !== '' && { description }),
        ...contentsBody(contents),
      },
      {
        onSuccess: (made) => {
          notify(`Plugin ${made.name} created.`);
          void navigate({
            to: '/projects/$projectId/plugins/$pluginId',
            params: { projectId, pluginId: made.id },
          });
        },
      },
    );
  };
  return (
    <Page
      title="New plugin"
      crumbs={<ProjectCrumbs projectId={projectId} section="plugins" />}
      intro="Servers and skills that belong together. This makes its first version."
      width="narrow"
    >
      <Answer query={servers}>
        {(allServers) => (
          <Answer query={skills}>
            {(allSkills) => (
              <Form
                label="New plugin"
                problem={formProblem(create.error, ['name', 'serverIds'])}
                attempt={create.error ?? isTold}
                onSubmit={submit}
                buttons={
                  <>
                    <button type="submit" className="primary" disabled={create.isPending}>
                      Create plugin
                    </button>
                    <Link
                      to="/projects/$projectId"
                      params={{ projectId }}
                      search={{ section: 'plugins' }}
                      className="button"
                    >
                      Cancel
                    </Link>
                  </>
                }
              >
                <Field
                  label="Name"
                  problem={isTold && name.trim() === '' ? 'Enter a name.' : problems['name']}
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
                <Field label="Description" hint="What it is for, in a sentence.">
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
                  problem={isTold ? (isEmpty ?? problemInside(problems, 'serverIds')) : undefined}
                  onChange={setContents}
                />
              </Form>
            )}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}
