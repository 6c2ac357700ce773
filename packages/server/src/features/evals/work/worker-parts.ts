/** What the worker needs from whoever puts the parts together. */
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
  /** The way to scorers that organizations run themselves. */
  readonly scorers: ScorerGateway;
  readonly patterns: PatternEngine;
  readonly log: QueueLog;
  /** Whether our own egress works: asked when a server seems to be away. */
  verifyEgress(): Promise<boolean>;
  /** Calls of one server at a time by the trials of all processes. */
  readonly callsPerServer: number;
  readonly runLimits: RunLimits;
  /** Who shows widgets; left out, nobody does. */
  readonly widgets?: WidgetsHere;
}

export interface RunDependencies extends WorkerDependencies {
  /** Calls of servers and requests to providers, counted over all processes. */
  readonly places: Places;
}
