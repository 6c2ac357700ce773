import type { Home } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../../kit/copy-text.tsx';
import { useWholeList } from '../../kit/data/operations.ts';

export function FirstSteps({ home }: { home: Home }) {
  const { data: projects } = useWholeList('listProjects', {});
  const project = projects?.find(({ isDefault }) => isDefault) ?? projects?.[0];
  const red = home.failing.items[0];
  return (
    <section aria-labelledby="first-steps" className="panel first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        {red !== undefined && <ReadRedCase run={red} />}
        <li>
          <h3>Save your server</h3>
          <p>
            An MCP server with an address. It is examined as soon as it is saved; then its tools can
            be called and tested.
          </p>
          {project !== undefined && (
            <div className="actions">
              <Link
                to="/projects/$projectId/servers/new"
                params={{ projectId: project.id }}
                className={red === undefined ? 'button primary' : 'button'}
              >
                Save your server
              </Link>
            </div>
          )}
          <p className="hint">Or at a terminal, in the folder where the service was started:</p>
          <CopyText
            block
            text={'proofmark server add "My server" http://127.0.0.1:8080/mcp'}
            label="Copy the command"
          />
        </li>
      </ol>
    </section>
  );
}

function ReadRedCase({ run }: { run: Home['failing']['items'][number] }) {
  const { projectId, runId, first } = run;
  return (
    <li>
      <h3>Read why a case is red</h3>
      <p>
        A sample was run when the service started: questions to a bookshop, a small MCP server with
        faults on purpose. A <dfn>case</dfn> is one thing to test; a <dfn>trial</dfn> is one time it
        was played. It goes through six stages, and the first one that fails is where to look.
      </p>
      <div className="actions">
        {first === null ? (
          <Link
            to="/projects/$projectId/runs/$runId"
            params={{ projectId, runId }}
            className="button primary"
          >
            Open the red run
          </Link>
        ) : (
          <Link
            to="/projects/$projectId/runs/$runId/trials/$trialId"
            params={{ projectId, runId, trialId: first.trialId }}
            className="button primary"
          >
            Open the red case
          </Link>
        )}
      </div>
    </li>
  );
}
