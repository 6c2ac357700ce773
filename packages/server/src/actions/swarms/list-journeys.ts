import { readJourneys } from '../../storage/swarms/journeys.ts';
import { type Action, presentPage } from '../action.ts';
import { listWhenOn } from '../list-when-on.ts';
import { presentJourney } from './present-journey.ts';

export const listJourneys: Action<'listJourneys'> = (context, { query, page }) =>
  listWhenOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readJourneys(sql, context.project.id, query, page)),
      presentJourney,
    ),
  );
