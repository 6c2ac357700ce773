/** Shows what a run in this environment would use right now, or why it cannot run. */
import type { ProjectEnvironmentResolved } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { useOperation } from '../../kit/data/operations.ts';
import { FactList } from '../../kit/fact-list.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import type { EnvironmentIds } from './data/environments.ts';
import { resolveProblem } from './resolve-problem.ts';

export function Preview(props: { ids: EnvironmentIds; clientId: string }) {
  const resolved = useOperation('resolveEnvironment', props.ids, { gcTime: 0, staleTime: 0 });
  const problem = resolved.error === null ? undefined : resolveProblem(resolved.error);
  return (
    <section aria-labelledby="preview">
      <div className="section-head">
        <h2 id="preview">Resolved environment</h2>
        <button
          type="button"
          className="small"
          disabled={resolved.isFetching}
          onClick={() => void resolved.refetch()}
        >
          Resolve again
        </button>
      </div>
      {problem === undefined ? (
        <QueryView query={resolved}>
          {(found) => <Resolved resolved={found} projectId={props.ids.projectId} />}
        </QueryView>
      ) : (
        <div className="panel held" role="alert">
          <h3>It cannot run: {lowerFirst(problem.title)}</h3>
          <p>{problem.message}</p>
          {problem.missingId !== undefined && (
            <p className="hint">
              Missing: <code>{problem.missingId}</code>
            </p>
          )}
          {problem.mendedIn === 'form' && (
            <Link
              to="/projects/$projectId/environments/$environmentId"
              params={props.ids}
              className="button"
            >
              Edit this environment
            </Link>
          )}
          {problem.mendedIn === 'client' && (
            <Link
              to="/projects/$projectId/clients/$clientId"
              params={{ projectId: props.ids.projectId, clientId: props.clientId }}
              className="button"
            >
              Open its client
            </Link>
          )}
        </div>
      )}
    </section>
  );
}

function Resolved(props: { resolved: ProjectEnvironmentResolved; projectId: string }) {
  const { resolved, projectId } = props;
  const { environment, servers, pluginVersions, skills } = resolved;
  const selected = new Set(resolved.selectedServerIds);
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Environment', `${environment.name}, revision ${environment.revision}`],
    [
      'Client',
      <Link
        key="client"
        to="/projects/$projectId/clients/$clientId"
        params={{ projectId, clientId: resolved.hostId }}
      >
        {resolved.hostName}
      </Link>,
    ],
    [
      'Model',
      <span key="model">
        <code>{resolved.effectiveModelId}</code>{' '}
        <span className="hint">
          {resolved.modelSource === 'environment' ? 'from the environment' : 'from the client'}
        </span>
      </span>,
    ],
    [
      `Servers (${servers.length})`,
      <List key="servers" items={servers} none="none">
        {({ serverId, name }) => (
          <>
            <Link to="/projects/$projectId/servers/$serverId" params={{ projectId, serverId }}>
              {name}
            </Link>
            {!selected.has(serverId) && <span className="hint"> from a plugin</span>}
          </>
        )}
      </List>,
    ],
    [
      `Plugins (${pluginVersions.length})`,
      <List key="plugins" items={pluginVersions} none="none">
        {({ name }) => name}
      </List>,
    ],
    [
      `Skills (${skills.length})`,
      <List key="skills" items={skills} none="none">
        {({ name }) => name}
      </List>,
    ],
    ...(resolved.sandboxImageId === undefined
      ? []
      : [['Sandbox image', resolved.sandboxImageId] as const]),
  ];
  const hashes = [
    ['Config of the client', resolved.hostConfigId],
    ...pluginVersions.map(({ name, bundleHash }) => [`Plugin ${name}`, bundleHash]),
    ...skills.map(({ name, contentHash }) => [`Skill ${name}`, contentHash]),
  ].map(([name = '', hash]) => [name, <code key={name}>{hash}</code>] as const);
  return (
    <>
      <p className="intro">
        A run talks to {servers.length === 1 ? 'this server' : `these ${servers.length} servers`}{' '}
        and to no other.
      </p>
      <FactList facts={facts} />
      <details>
        <summary className="unfold-title">Details</summary>
        <FactList facts={hashes} />
        <CopyText block text={JSON.stringify(resolved.config, null, 2)} label="Copy the config" />
      </details>
    </>
  );
}

function List<Item>(props: {
  items: readonly Item[];
  none: string;
  children: (item: Item) => ReactNode;
}) {
  if (props.items.length === 0) return <>{props.none}</>;
  return (
    <ul className="plain-list">
      {props.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown whole and never reordered.
        <li key={index}>{props.children(item)}</li>
      ))}
    </ul>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
