import type { Action } from '../../../platform/operations/action.ts';
import { findJourney } from './find-journey.ts';
import { presentJourney } from './present-journey.ts';

export const getJourney: Action<'getJourney'> = async (context, { params }) =>
  presentJourney(
    await context.tenant((sql) => findJourney(sql, context.project.id, params.journeyId)),
  );
