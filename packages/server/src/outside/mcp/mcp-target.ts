/**
 * Everything needed to connect to one MCP server, including secrets. It is never logged, and only
 * sessions store it.
 */
export interface McpTarget {
  readonly organizationId: string;
  readonly serverId: string;
  readonly address: HttpAddress | StdioAddress;
  /** The total time limit for one call, in milliseconds (default: `mcpLimits.callMs`). */
  readonly timeoutMs?: number;
  /** The size limit for one message, in bytes (default: `mcpLimits.maxMessageBytes`). */
  readonly maxMessageBytes?: number;
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** The only protocol version that may be used (default: negotiated). */
  readonly protocolVersion?: string;
  /** How many pages of a list are read when the whole list is requested (default: all pages). */
  readonly paginationTraversal?: 'full' | 'firstPageOnly';
  /** The access tokens of the server's grant. Absent if no OAuth tokens were imported. */
  readonly tokens?: AccessTokens;
  /**
   * Two targets with the same identity may share a session. The identity changes with every other
   * field of the target, and contains no secret in plain text.
   */
  readonly identity: string;
}

export interface HttpAddress {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StdioAddress {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory of the process (default: the root directory). */
  readonly cwd?: string;
}

export interface AccessTokens {
  /**
   * Returns the token to send, and renews it before it expires. Returns undefined if the grant has
   * ended.
   */
  current(): Promise<string | undefined>;
  /**
   * Called after the server rejected the token `refused`. Returns a new token, or undefined if
   * there is none.
   */
  after(refused: string): Promise<string | undefined>;
}
