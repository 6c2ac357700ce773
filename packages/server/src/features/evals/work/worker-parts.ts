import type { PatternEngine, Places } from '@proofmark/domain';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';
import type { McpGateway } from '../../../outside/mcp/mcp-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { ScorerGateway } from '../../../outside/scorers/scorer-gateway.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { QueueLog } from '../../../platform/jobs/start-queue.ts';
import type { RunLimits } from '../../../platform/spending/run-limits.ts';
import type { TargetDependencies } from '../../servers/index.ts';

export interface WorkerDependencies extends TargetDependencies {
  readonly database: Database;
  readonly mcp: McpGateway;
  readonly models: ModelGateway;
  readonly scorers: ScorerGateway;
  readonly patterns: PatternEngine;
  readonly log: QueueLog;
  /** Checks whether the service's own egress works; called if a server seems unreachable. */
  verifyEgress(): Promise<boolean>;
  /** The maximum number of concurrent calls to one server from the trials of all processes. */
  readonly callsPerServer: number;
  readonly runLimits: RunLimits;
  readonly widgets?: WidgetsHere;
  /** The folder of the conformance suite (default: it is looked for beside Proofmark). */
  readonly conformanceFolder?: string | undefined;
}

export interface RunDependencies extends WorkerDependencies {
  /** Limits concurrent calls to servers and requests to providers across all processes. */
  readonly places: Places;
}
