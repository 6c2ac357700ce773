import pg from 'pg';

/**
 * Returns the address where the driver looks for PostgreSQL; `host` is a path for a socket file.
 */
export function databasePort(url: string): { readonly host: string; readonly port: number } {
  const { host, port } = new pg.Client({ connectionString: url });
  return { host, port };
}
