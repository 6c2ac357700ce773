/**
 * A service with the sample first runs the sample's evals and simulated users. A journey that does
 * not wait for their end competes with them for CPU, and a call may then take too long on a slow
 * machine.
 */
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';

export async function waitForSample(service: Pick<StartedProofmark, 'events'>): Promise<void> {
  const isAnnounced = () => service.events().some(({ event }) => event === 'sample');
  await until(isAnnounced, 'the sample is told', 90_000);
}
