import * as rules from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { changeEnvironment } from './change-environment.ts';

export const archiveEnvironment: Action<'archiveEnvironment'> = async (context, { params, body }) =>
  changeEnvironment(context, params.environmentId, { action: 'environment.archived' }, (current) =>
    rules.archiveEnvironment(current, body.expectedRevision, new Date()),
  );
