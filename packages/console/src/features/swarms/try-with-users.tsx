import '../../kit/styles/use-server.css';
import type { Project } from '@proofmark/contract';
import { count, tierAllows } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useOperation } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { SwitchedOffHere } from '../../kit/switched-off.tsx';
import { useEnvironmentsOf } from '../environments/index.ts';
import { type Journey, useJourneys } from './data/swarms.ts';
import { useTryWithUsers } from './data/try-with-users.ts';
import { LatestRun } from './latest-run.tsx';

interface Props {
  readonly ids: ServerIds;
  readonly serverName: string;
  readonly project: Project;
}

export function TryWithUsers(props: Props) {
  const { project } = props;
  const { data } = useOperation('getProjectCapabilities', { projectId: project.id });
  return (
    <section aria-labelledby="use-swarms">
      <h2 id="use-swarms" data-family="swarms">
        Simulated users
      </h2>
      {data?.features.swarms.enabled === true && <Journeys {...props} />}
      {data?.features.swarms.enabled === false && (
        <SwitchedOffHere organizationId={project.organizationId} feature="swarms" />
      )}
    </section>
  );
}

/** Maximum number of listed journeys. The page of all journeys lists the rest. */
const mostListed = 4;

function Journeys({ ids, serverName, project }: Props) {
  const environments = useEnvironmentsOf(ids);
  const journeys = useJourneys(ids.projectId);
  if (environments.data === undefined || journeys.data === undefined) {
    return <p className="hint">Reading its journeys…</p>;
  }
  const among = new Set(environments.data.map(({ id }) => id));
  const found = journeys.data.filter(({ environmentIds }) =>
    environmentIds.some((id) => among.has(id)),
  );
  if (found.length > 0) return <JourneyList journeys={found} projectId={ids.projectId} />;
  const mayMake =
    tierAllows(project.role, 'admin') || environments.data.some(({ isAlone }) => isAlone);
  return mayMake ? (
    <Make ids={ids} serverName={serverName} />
  ) : (
    <p className="hint">An admin of this project can make an environment with this server.</p>
  );
}

function Make({ ids, serverName }: Pick<Props, 'ids' | 'serverName'>) {
  const navigate = useNavigate();
  const make = useTryWithUsers(ids, serverName, (waveId) =>
    navigate({
      to: '/projects/$projectId/waves/$waveId',
      params: { projectId: ids.projectId, waveId },
    }),
  );
  return (
    <>
      <p className="hint">
        Two personas with two journeys each are drafted from its tools, with a client and an
        environment, and run. The built-in model answers them.
      </p>
      <button type="button" disabled={make.isPending} onClick={() => make.mutate()}>
        {make.isPending ? 'Making journeys…' : 'Try with simulated users'}
      </button>
      <div role="alert">
        {make.error !== null && <p className="form-problem">{make.error.message}</p>}
      </div>
    </>
  );
}

function JourneyList(props: { journeys: readonly Journey[]; projectId: string }) {
  const { journeys, projectId } = props;
  return (
    <>
      <ul className="use-list">
        {journeys.slice(0, mostListed).map((journey) => (
          <li key={journey.id}>
            <Link
              to="/projects/$projectId/journeys/$journeyId"
              params={{ projectId, journeyId: journey.id }}
            >
              <bdi>{journey.name}</bdi>
            </Link>{' '}
            <LatestRun journey={journey} />
          </li>
        ))}
      </ul>
      <Link to="/projects/$projectId" params={{ projectId }} search={{ section: 'swarms' }}>
        {journeys.length > mostListed
          ? `All ${count(journeys.length, 'journey')}, personas and findings`
          : 'Personas and findings'}
      </Link>
    </>
  );
}
