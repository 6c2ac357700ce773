import type { Journey } from '@proofmark/contract';
import type { SavedJourney } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { readJourneys } from '../store/journeys.ts';
import { listLatestRuns, readGradesOfRuns } from '../store/run-grades.ts';
import { presentJourney } from './present-journey.ts';
import { presentRunVerdict } from './present-run-verdict.ts';

export const listJourneys: Action<'listJourneys'> = (context, { query, page }) =>
  listIfFeatureOn(context, 'swarms', () =>
    context.tenant(async (sql) => {
      const journeys = await readJourneys(sql, context.project.id, query, page);
      const latest = await presentLatestRuns(sql, journeys.items);
      return presentPage(journeys, (journey) => ({
        ...presentJourney(journey),
        latestRun: latest.get(journey.id) ?? null,
      }));
    }),
  );

/** A journey without a run is absent from the map. */
async function presentLatestRuns(
  sql: Sql,
  journeys: readonly SavedJourney[],
): Promise<Map<string, NonNullable<Journey['latestRun']>>> {
  const runs = await listLatestRuns(
    sql,
    journeys.map(({ id }) => id),
  );
  const grades = await readGradesOfRuns(
    sql,
    runs.map(({ id }) => id),
  );
  return new Map(
    runs.map(({ id, journeyId, status, error, createdAt, personaModel }) => [
      journeyId,
      {
        id,
        status,
        ...(error !== null && { error }),
        createdAt: createdAt.getTime(),
        personaModel,
        ...presentRunVerdict({ status, error }, grades.get(id)?.grades),
      },
    ]),
  );
}
