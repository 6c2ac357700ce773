/** The estimate before a launch, or the reason why the launch would be rejected. */
import '../../kit/styles/estimate.css';
import { journeyEstimatesWords, journeyEstimateWords } from '@proofmark/report';
import { type JourneyIds, useJourneyEstimate, useJourneyEstimates } from './data/journey-runs.ts';
import type { Journey } from './data/swarms.ts';

export function LaunchEstimate({ ids, editedAt }: { ids: JourneyIds; editedAt: number }) {
  const { data, error } = useJourneyEstimate(ids, editedAt);
  if (data !== undefined) {
    return <p className="hint estimate">{journeyEstimateWords(data).join(' ')}</p>;
  }
  return error === null ? null : (
    <p className="hint estimate">{`It cannot be run as it is: ${error.message}`}</p>
  );
}

/**
 * The combined estimate for all journeys of a swarm. Journeys that would be rejected are only
 * counted; the launch shows the reasons.
 */
export function WaveEstimate({ journeys }: { journeys: readonly Journey[] }) {
  const { estimates, refused } = useJourneyEstimates(journeys);
  if (estimates.length + refused < journeys.length) return null;
  const cannot = refused === 0 ? [] : [`${refused} of them cannot be run as they are.`];
  return (
    <p className="hint estimate">{[...journeyEstimatesWords(estimates), ...cannot].join(' ')}</p>
  );
}
