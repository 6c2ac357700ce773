/** Makes suites from the tools of a server, for somebody who would otherwise write a first case. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { notify } from '../../kit/notice.tsx';
import { useTestServer } from './data/first-suites.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export function CasesFromTools(props: {
  projectId: string;
  servers: readonly [Named, ...Named[]];
}) {
  const { projectId, servers } = props;
  const [chosenId, setChosenId] = useState(servers[0].id);
  const chosen = servers.find(({ id }) => id === chosenId) ?? servers[0];
  return (
    <section aria-labelledby="from-tools">
      <h2 id="from-tools">Cases from tools</h2>
      <p className="hint">
        Two suites are made from the tools of a server and run: prompts for the built-in model, and
        a contract without a model. Each tool that only reads is called once with sample values.
      </p>
      {servers.length > 1 && (
        <Field label="Server of the tools">
          {(control) => (
            <select
              {...control}
              value={chosen.id}
              onChange={({ target }) => setChosenId(target.value)}
            >
              {servers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <MakeSuites key={chosen.id} projectId={projectId} server={chosen} />
    </section>
  );
}

function MakeSuites({ projectId, server }: { projectId: string; server: Named }) {
  const make = useTestServer({ projectId, serverId: server.id });
  const navigate = useNavigate();
  const onSuccess = () => {
    notify(`Two suites were made from the tools of ${server.name}.`);
    void navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'evals' },
    });
  };
  return (
    <>
      <button
        type="button"
        disabled={make.isPending}
        onClick={() => make.mutate(server.name, { onSuccess })}
      >
        {make.isPending ? 'Calling its tools…' : `Make suites for ${server.name}`}
      </button>
      <div role="alert">
        {make.error !== null && <p className="form-problem">{make.error.message}</p>}
      </div>
    </>
  );
}
