import { readSwarms } from '../../storage/swarms/swarms.ts';
import { type Action, presentPage } from '../action.ts';
import { listWhenOn } from '../list-when-on.ts';
import { presentSwarm } from './present-swarm.ts';

export const listSwarms: Action<'listSwarms'> = (context, { page }) =>
  listWhenOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readSwarms(sql, context.project.id, page)),
      presentSwarm,
    ),
  );
