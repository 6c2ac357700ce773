import { actorOf } from '../../../../platform/operations/record-audit.ts';
import type { EvalsProject } from '../../evals-context.ts';
import type { LaunchDependencies } from './prepared-launch.ts';

export function launchDependenciesOf(context: EvalsProject): LaunchDependencies {
  return {
    database: context.database,
    models: context.models,
    newId: context.newId,
    stdioAddressOf: context.stdioAddressOf,
    organizationId: context.project.organizationId,
    projectId: context.project.id,
    accountId: context.caller.account.id,
    actor: actorOf(context.caller),
    source: context.surface === 'console' ? 'ui' : 'api',
    limits: context.runLimits,
    signal: context.signal,
  };
}
