export interface PublishedServer {
  readonly name: string;
  /** Exact; without one, the newest is installed. */
  readonly version?: string;
  readonly args?: readonly string[];
  /** Made-up credentials: the server starts with them, and no service accepts them. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface InstalledServer {
  readonly version: string;
  readonly program: string;
}

export function installServer(server: PublishedServer, folder: string): Promise<InstalledServer>;

export function startArguments(program: string, server: PublishedServer, home: string): string[];
