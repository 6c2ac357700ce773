import { ReplayTermsOfRun } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const { model, servers, onDivergence } = ReplayTermsOfRun.shape;

export const EvalRunReplayRequest = z
  .strictObject({
    runId: Id.meta({ description: 'A recorded run of the suite.' }),
    model: model.meta({ description: 'recorded: no model is called.' }),
    servers: servers.meta({ description: 'recorded: no server is called.' }),
    onDivergence: onDivergence.default('stop').meta({
      description:
        'The treatment of a trial that diverges from its recording. stop: it ends without a result. live: the recorded side continues live.',
    }),
  })
  .refine((asked) => asked.model === 'recorded' || asked.servers === 'recorded', {
    error: 'A replay needs recorded answers; set model, servers or both to "recorded".',
    path: ['servers'],
  })
  .meta({ id: 'EvalRunReplayRequest' });

export const ReplayToEstimate = z.strictObject({
  model: z.string().trim().min(1).max(200).optional().meta({
    description: 'Plays all cases on this model, in place of the models that they name.',
  }),
  replayRunId: Id.optional().meta({ description: 'Replays this run of the suite.' }),
  replayModel: model.optional().meta({ description: 'Default: recorded.' }),
  replayServers: servers.optional().meta({ description: 'Default: recorded.' }),
  onDivergence: onDivergence.optional().meta({ description: 'Default: stop.' }),
});
