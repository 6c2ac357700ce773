import * as z from 'zod';
import { Id } from '../fields.ts';
import { insightsRequestedFields, insightsRequestFields } from '../insights-request.ts';

export const EvalRunInsightsRequest = z
  .strictObject(insightsRequestFields)
  .meta({ id: 'EvalRunInsightsRequest' });

export const EvalRunInsightsRequested = z
  .object({
    runId: Id,
    projectId: Id,
    ...insightsRequestedFields,
  })
  .meta({ id: 'EvalRunInsightsRequested' });
