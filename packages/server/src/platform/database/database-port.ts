import pg from 'pg';

/** Where the driver would look for PostgreSQL; the host is a path where that is a socket file. */
export function databasePort(url: string): { readonly host: string; readonly port: number } {
  const { host, port } = new pg.Client({ connectionString: url });
  return { host, port };
}
