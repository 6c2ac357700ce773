import { ReplayTermsOfRun } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const { model, servers, onDivergence } = ReplayTermsOfRun.shape;

export const EvalRunReplayRequest = z
  .strictObject({
    runId: Id.meta({ description: 'A run of the suite that was recorded.' }),
    model: model.meta({ description: 'recorded: no model is asked.' }),
    servers: servers.meta({ description: 'recorded: no server is asked.' }),
    onDivergence: onDivergence.default('stop').meta({
      description:
        'What becomes of a trial that goes another way than the recorded one. stop: it ends without a result. live: what was recorded of that side goes on live.',
    }),
  })
  .refine((asked) => asked.model === 'recorded' || asked.servers === 'recorded', {
    error: 'A replay needs recorded answers; set model, servers or both to "recorded".',
    path: ['servers'],
  })
  .meta({ id: 'EvalRunReplayRequest' });

export const ReplayToEstimate = z.strictObject({
  model: z.string().trim().min(1).max(200).optional().meta({
    description: 'Plays all cases on this model, whatever they name.',
  }),
  replayRunId: Id.optional().meta({ description: 'Plays this run of the suite again.' }),
  replayModel: model.optional().meta({ description: 'Default: recorded.' }),
  replayServers: servers.optional().meta({ description: 'Default: recorded.' }),
  onDivergence: onDivergence.optional().meta({ description: 'Default: stop.' }),
});
