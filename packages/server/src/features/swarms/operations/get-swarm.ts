import type { Action } from '../../../platform/operations/action.ts';
import { findSwarm } from './find-swarm.ts';
import { presentSwarm } from './present-swarm.ts';

export const getSwarm: Action<'getSwarm'> = async (context, { params }) =>
  presentSwarm(await context.tenant((sql) => findSwarm(sql, context.project.id, params.swarmId)));
