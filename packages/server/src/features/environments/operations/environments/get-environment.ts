import type { Action } from '../../../../platform/operations/action.ts';
import { findEnvironment } from './find-environment.ts';
import { presentEnvironment } from './present-environment.ts';

export const getEnvironment: Action<'getEnvironment'> = async (context, { params }) =>
  presentEnvironment(
    await context.tenant((sql) => findEnvironment(sql, context.project.id, params.environmentId)),
  );
