/** What operations need that speak to MCP servers. */
import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { McpGateway } from '../../outside/mcp/mcp-gateway.ts';
import type { StdioAddress } from '../../outside/mcp/mcp-target.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { RunLimits } from '../../platform/spending/run-limits.ts';

export interface ServersParts {
  /** The way to MCP servers. */
  readonly mcp: McpGateway;
  /** The browser that shows widgets; absent where none is wanted. */
  readonly widgets?: WidgetsHere | undefined;
  readonly runLimits: RunLimits;
  /** Whether the service may call this address at all; what a name stands for is checked at the call. */
  mayReach(url: string): boolean;
  /** How a stdio server of the operator's configuration is started; nothing when the file no longer names it. */
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

export type ServersContext = ActionContext & ServersParts;
export type ServersProject = ProjectContext & ServersParts;
