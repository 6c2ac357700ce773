import pg from 'pg';

/**
 * Returns the host and port that the driver uses. For a socket file, `host` is the path of its
 * folder.
 */
export function databasePort(url: string): { readonly host: string; readonly port: number } {
  const { host, port } = new pg.Client({ connectionString: url });
  return { host, port };
}
