import * as rules from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { refuseUnreadablePart } from '../../../../platform/operations/refuse-unreadable-part.ts';
import { readEnvironmentParts } from '../../store/environment-parts.ts';
import { findEnvironment } from './find-environment.ts';
import { presentResolvedEnvironment } from './present-resolved-environment.ts';

export const resolveEnvironment: Action<'resolveEnvironment'> = async (context, { params }) => {
  const parts = await context.tenant(async (sql) => {
    // The row is locked, so that all parts belong to one revision.
    const found = await findEnvironment(sql, context.project.id, params.environmentId, 'forShare');
    return readEnvironmentParts(sql, found);
  });
  refuseUnreadablePart(parts);
  const outcome = rules.resolveEnvironment(parts);
  if ('conflict' in outcome) return refuse(rules.environmentConflictRefusal(outcome));
  return presentResolvedEnvironment(outcome.resolved);
};
