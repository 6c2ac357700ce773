import '../../kit/styles/estimate.css';
import { estimateParts } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useTrialsLeft } from '../../kit/data/capabilities.ts';
import { type SuiteIds, useRunEstimate } from './data/eval-suites.ts';

export function RunEstimate(props: {
  ids: SuiteIds;
  maxCredits?: number | undefined;
  environmentId?: string | undefined;
  /** Number of repetitions to use in place of the suite's own. */
  iterationOverride?: number | undefined;
}) {
  const { ids, maxCredits, environmentId, iterationOverride } = props;
  const { data, error } = useRunEstimate(ids, { environmentId, iterationOverride });
  const trialsLeft = useTrialsLeft(ids.projectId);
  if (error !== null)
    return <p className="form-problem">{`A run would be refused. ${error.message}`}</p>;
  if (data === undefined) return null;
  const { runs, costs, left } = estimateParts(data, maxCredits);
  const remaining = [...left, ...(trialsLeft === undefined ? [] : [trialsLeft])];
  return (
    <dl className="estimate" aria-label="Estimate of the run">
      <div>
        <dt>Trials</dt>
        <dd>{runs.join(' ')}</dd>
      </div>
      <div>
        <dt>Servers</dt>
        <dd>
          {data.servers.length === 0 && 'none'}
          {data.servers.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link
                to="/projects/$projectId/servers/$serverId"
                params={{ projectId: ids.projectId, serverId: id }}
              >
                <bdi>{name}</bdi>
              </Link>
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{costs.join(' ')}</dd>
      </div>
      {remaining.length > 0 && (
        <div>
          <dt>Remaining</dt>
          <dd>{remaining.join(' ')}</dd>
        </div>
      )}
    </dl>
  );
}
