import '../../kit/styles/use-server.css';
import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { allBelow } from '../../kit/data/address-key.ts';
import { client } from '../../kit/data/client.ts';
import { useOperation, useSeveral, useWholeList } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import { SwitchedOffHere } from '../../kit/switched-off.tsx';
import { environmentFor, useEnvironmentsOf } from '../environments/index.ts';
import { type Mode, modeWords } from './link-words.ts';
import { ModeOptions } from './mode-options.tsx';

interface Props {
  readonly ids: ServerIds;
  readonly serverName: string;
  readonly project: Project;
}

export function ShareServer(props: Props) {
  const { project } = props;
  const { data } = useOperation('getProjectCapabilities', { projectId: project.id });
  return (
    <section aria-labelledby="use-people">
      <h2 id="use-people" data-family="user-testing">
        People
      </h2>
      {data?.features.userTesting.enabled === true && <Links {...props} />}
      {data?.features.userTesting.enabled === false && (
        <SwitchedOffHere organizationId={project.organizationId} feature="user-testing" />
      )}
    </section>
  );
}

function Links(props: Props) {
  const { ids, project } = props;
  const { projectId } = ids;
  const [isAsking, setIsAsking] = useState(false);
  const environments = useEnvironmentsOf(ids);
  const scenarios = useWholeList('listScenarios', { projectId });
  if (environments.data === undefined || scenarios.data === undefined) {
    return <p className="hint">Reading its links…</p>;
  }
  const among = new Set(environments.data.map(({ id }) => id));
  const found = scenarios.data.filter(({ environmentId }) => among.has(environmentId));
  if (found.length > 0) {
    return (
      <ul className="use-list">
        {found.map(({ id: scenarioId, name, mode }) => (
          <li key={scenarioId}>
            <Link
              to="/projects/$projectId/user-testing/$scenarioId"
              params={{ projectId, scenarioId }}
            >
              <bdi>{name}</bdi>
            </Link>{' '}
            <span className="hint">{mode === null ? '' : modeWords[mode]}</span>
          </li>
        ))}
      </ul>
    );
  }
  if (!tierAllows(project.role, 'admin')) {
    return <p className="hint">An admin of this project can share it.</p>;
  }
  return (
    <>
      <p className="hint">
        People open a link and talk to this server in a web page. You read what they asked, what was
        called, and where they gave up.
      </p>
      <button type="button" onClick={() => setIsAsking(true)}>
        Share
      </button>
      {isAsking && <Publish {...props} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function Publish(props: Props & { onClose: () => void }) {
  const { ids, serverName } = props;
  const { projectId } = ids;
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>('project_members');
  const share = useSeveral(
    async () => {
      const environmentId = await environmentFor(ids, serverName);
      const made = await client.publishScenario({ projectId, environmentId, body: { mode } });
      notify(`Published ${made.name}.`);
      // Navigates before the lists are reloaded, because reloading removes this dialog.
      await navigate({
        to: '/projects/$projectId/user-testing/$scenarioId',
        params: { projectId, scenarioId: made.id },
      });
    },
    [
      allBelow('listScenarios', { projectId }),
      allBelow('listEnvironments', { projectId }),
      allBelow('listClients', { projectId }),
    ],
    { isPartly: true },
  );
  return (
    <Modal title={`Share ${serverName}`} onClose={props.onClose}>
      <Form
        label={`Share ${serverName}`}
        problem={share.error?.message}
        attempt={share.error}
        onSubmit={() => !share.isPending && share.mutate()}
        buttons={
          <>
            <button type="submit" className="primary" disabled={share.isPending}>
              {share.isPending ? 'Publishing…' : 'Publish'}
            </button>
            <button type="button" onClick={props.onClose}>
              Cancel
            </button>
          </>
        }
      >
        <p>The built-in model answers; another one can be chosen in the client afterwards.</p>
        <Field
          label="Access to the link"
          hint="Visitors act on the server with the credentials saved there."
        >
          {(control) => <ModeOptions control={control} mode={mode} onChange={setMode} />}
        </Field>
      </Form>
    </Modal>
  );
}
