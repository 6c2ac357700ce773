import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { McpGateway } from '../../outside/mcp/mcp-gateway.ts';
import type { StdioAddress } from '../../outside/mcp/mcp-target.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { RunLimits } from '../../platform/spending/run-limits.ts';

export interface ServersParts {
  readonly mcp: McpGateway;
  readonly widgets?: WidgetsHere | undefined;
  readonly runLimits: RunLimits;
  /** The folder of the conformance suite (default: it is looked for beside Proofmark). */
  readonly conformanceFolder?: string | undefined;
  /**
   * Returns whether the service may call this address at all. The IP address behind a host name is
   * checked at the call.
   */
  mayReach(url: string): boolean;
  /**
   * Returns the start command of a stdio server from the operator's configuration file, or
   * undefined if the file no longer names the server.
   */
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

export type ServersContext = ActionContext & ServersParts;
export type ServersProject = ProjectContext & ServersParts;
