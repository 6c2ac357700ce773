/**
 * Everything needed to connect to one MCP server, including secrets; never logged, and stored only
 * by sessions.
 */
export interface McpTarget {
  readonly organizationId: string;
  readonly serverId: string;
  readonly address: HttpAddress | StdioAddress;
  /** For one whole call (default: the published deadline). */
  readonly timeoutMs?: number;
  /** For one message (default: the published limit). */
  readonly maxMessageBytes?: number;
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** The only protocol version to use (default: negotiated). */
  readonly protocolVersion?: string;
  /** The part of whole lists to read (default: to their end). */
  readonly paginationTraversal?: 'full' | 'firstPageOnly';
  /** The grant with the access token; absent if no OAuth tokens were imported. */
  readonly tokens?: AccessTokens;
  /**
   * Two targets with the same identity may share a session: it changes with every field above. It
   * contains no secret in clear text.
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
  /** The working directory (default: the root). */
  readonly cwd?: string;
}

/** An OAuth grant in the view of a caller of a server. */
export interface AccessTokens {
  /** Returns the token to send now, renewed before it expires; undefined if the grant is over. */
  current(): Promise<string | undefined>;
  /**
   * Returns the token after one that the server has just rejected; undefined if there is no new
   * one.
   */
  after(refused: string): Promise<string | undefined>;
}
