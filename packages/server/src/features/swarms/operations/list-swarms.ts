import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { readSwarms } from '../store/swarms.ts';
import { presentSwarm } from './present-swarm.ts';

export const listSwarms: Action<'listSwarms'> = (context, { page }) =>
  listIfFeatureOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readSwarms(sql, context.project.id, page)),
      presentSwarm,
    ),
  );
