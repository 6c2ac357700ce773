/** Everything that is needed to speak to one MCP server, secrets included; never logged and never kept but by a session. */
export interface McpTarget {
  readonly organizationId: string;
  readonly serverId: string;
  readonly address: HttpAddress | StdioAddress;
  /** For one whole call; the published deadline when absent. */
  readonly timeoutMs?: number;
  /** Of one message; as published when absent. */
  readonly maxMessageBytes?: number;
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** The one version to speak; settled between both sides when absent. */
  readonly protocolVersion?: string;
  /** How far whole lists are read; to their end when absent. */
  readonly paginationTraversal?: 'full' | 'firstPageOnly';
  /** The grant whose access token is sent; absent where no OAuth tokens were imported. */
  readonly tokens?: AccessTokens;
  /**
   * Two targets with the same identity may share a session: it changes whenever anything above does. It holds
   * no secret in clear.
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
  /** Where it is started; at the root unless said. */
  readonly cwd?: string;
}

/** An OAuth grant as whoever calls a server sees it. */
export interface AccessTokens {
  /** The token to send now, refreshed before it expires; nothing when the grant is over. */
  current(): Promise<string | undefined>;
  /** The token that follows one the server has just refused; nothing when there is none, or no new one. */
  after(refused: string): Promise<string | undefined>;
}
