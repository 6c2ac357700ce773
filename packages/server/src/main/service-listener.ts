import { agentBounds } from '@proofmark/domain';
import { uploadRoute } from '../features/evals/operations/ingest/upload-route.ts';
import {
  createVisitHandler,
  type VisitParts,
} from '../features/user-testing/visit/handle-visit.ts';
import type { HttpOptions } from '../platform/http/http-options.ts';
import type { Listener } from '../platform/http/listen.ts';
import { createRequestListener } from '../platform/http/request-listener.ts';
import { offeredActions } from './offered-actions.ts';
import type { OperationParts } from './operation-parts.ts';
import { operations } from './operations.ts';

export interface ServiceOptions
  extends HttpOptions,
    Omit<OperationParts, 'agentTurnMs' | 'offeredActions' | 'turns'>,
    Pick<VisitParts, 'turns' | 'visitLimits'> {
  /**
   * The time limit for a turn of the agent, in milliseconds (default: the limit in the agent's
   * rules).
   */
  readonly agentTurnMs?: number;
}

export function createServiceListener(options: ServiceOptions): Listener {
  const { models, turns, visitLimits, spending, runLimits } = options;
  return createRequestListener(options, {
    operations,
    parts: partsOf(options),
    handleVisit: createVisitHandler({ models, turns, visitLimits, spending }),
    addRoutes: (routes, http) => uploadRoute(routes, http, runLimits.quotas),
  });
}

/** Passes on only listed members, so that an operation gets nothing that no feature declares. */
function partsOf(options: ServiceOptions): OperationParts {
  return {
    agentTurnMs: options.agentTurnMs ?? agentBounds.turnMs,
    freeDiskSpace: () => options.freeDiskSpace(),
    mailer: options.mailer,
    mayReach: options.mayReach,
    mcp: options.mcp,
    models: options.models,
    offeredActions: offeredActions as unknown as OperationParts['offeredActions'],
    partModels: options.partModels,
    retention: options.retention,
    runLimits: options.runLimits,
    spending: options.spending,
    stdioAddressOf: options.stdioAddressOf,
    turns: options.turns,
    widgets: options.widgets,
  };
}
